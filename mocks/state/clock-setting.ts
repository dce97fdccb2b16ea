import * as z from 'zod';
import { lastMoment } from '../../interface/schemas.ts';
import { durationSchema } from './duration.ts';

const maxSpeed = 3600;
const speedForm = `a number from 0, which is paused, to ${maxSpeed}`;

/** Schema of the speed of a clock. */
export const speedSchema: z.ZodType<number> = z
  .number(speedForm)
  .min(0, speedForm)
  .max(maxSpeed, speedForm)
  .describe('How fast the clock runs: 1 is as fast as the time source, 0 is paused');

const timeForm =
  'milliseconds since 1970, or a string such as "2027-01-15T12:00:00Z", from 1970 to the year 9999';
const timeSchema = z.union(
  [
    z.int(timeForm).min(0, timeForm).max(lastMoment, timeForm),
    z.iso
      .datetime({ offset: true, error: timeForm })
      .refine((text) => Date.parse(text) >= 0, timeForm),
  ],
  timeForm,
);

const settingForm = 'an object with advance or now, with speed, or with one of them and speed';

/** What a tester sets of a world's clock. */
export type ClockSetting = z.infer<typeof clockSettingSchema>;

/** Schema of a {@link ClockSetting}: how far it is advanced or what it shows, and how fast it runs. */
export const clockSettingSchema = z
  .strictObject(
    {
      advance: durationSchema.exactOptional(),
      now: timeSchema.exactOptional(),
      speed: speedSchema.exactOptional(),
    },
    settingForm,
  )
  .refine(({ advance, now, speed }) => {
    const moves = [advance, now].filter((value) => value !== undefined).length;
    return moves < 2 && moves + (speed === undefined ? 0 : 1) > 0;
  }, settingForm);
