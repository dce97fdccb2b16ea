import * as z from 'zod';
import { lastMoment } from '../../interface/schemas.ts';
import { durationSchema } from './duration.ts';

const fastest = 3600;
const speedForm = `a number from 0, which is paused, to ${fastest}`;

/** Schema of the speed of a clock. */
export const speedSchema: z.ZodType<number> = z
  .number(speedForm)
  .min(0, speedForm)
  .max(fastest, speedForm)
  .describe('How fast the clock runs: 1 is as fast as the time source, 0 is paused');

const momentForm =
  'milliseconds since 1970, or a text such as "2027-01-15T12:00:00Z", up to the year 9999';
const momentSchema = z.union(
  [
    z.int(momentForm).min(0, momentForm).max(lastMoment, momentForm),
    z.iso.datetime({ offset: true, error: momentForm }),
  ],
  momentForm,
);

const settingForm = 'an object with advance or now, with speed, or with one of them and speed';

/** What a tester sets of a world's clock. */
export type ClockSetting = z.infer<typeof clockSettingSchema>;

/** Schema of a {@link ClockSetting}: how far it is advanced or what it shows, and how fast it runs. */
export const clockSettingSchema = z
  .strictObject(
    {
      advance: durationSchema.exactOptional(),
      now: momentSchema.exactOptional(),
      speed: speedSchema.exactOptional(),
    },
    settingForm,
  )
  .refine(({ advance, now, speed }) => {
    const moves = [advance, now].filter((value) => value !== undefined).length;
    return moves < 2 && moves + (speed === undefined ? 0 : 1) > 0;
  }, settingForm);
