import { onPress, onSend } from './actions.ts';
import type { Api } from './api.ts';
import { find, readForm } from './dom.ts';
import { showTime } from './format.ts';
import { everySecond, sinceOpened, wait } from './page-time.ts';
import type { Context } from './panel.ts';

/** Milliseconds from one reading of a clock to the next, to see whether it runs. */
const pause = 250;

/** A clock reading: its value, and when it was requested and received. */
interface Reading {
  readonly now: number;
  readonly requested: number;
  readonly received: number;
}

/** A clock that runs has gone on by as much as the page's own time; this rounds by a millisecond. */
function hasRun(first: Reading, second: Reading): boolean {
  const passed = second.now - first.now;
  return (
    passed >= second.requested - first.received - 1 &&
    passed <= second.received - first.requested + 1
  );
}

/** The world's clock: shows it, and moves it on. */
export interface ClockPanel {
  /** Shows a time that the service has sent. */
  show(now: number): void;
  /** Clears the time, which was another world's. */
  clear(): void;
  /** Finds out whether the clock runs, as that of a server does, or stands still. */
  observe(): Promise<void>;
}

/** Makes the clock's part of the page. */
export function createClockPanel(context: Context): ClockPanel {
  const display = find('now', HTMLTimeElement);
  const form = find('advance-form', HTMLFormElement);
  let latest = { now: 0, at: 0 };
  let runs = false;
  const show = (now: number): void => {
    latest = { now, at: sinceOpened() };
    showTime(display, now);
  };
  const read = async (api: Api): Promise<Reading> => {
    const requested = sinceOpened();
    const { body } = await api.call<{ now: number }>('GET /_mock/clock');
    return { now: body.now, requested, received: sinceOpened() };
  };
  const advance = async (by: string): Promise<string> => {
    const { body } = await context.api.call<{ now: number }>('POST /_mock/clock', { advance: by });
    show(body.now);
    return `The clock moved on by ${by}.`;
  };
  everySecond(() => {
    if (runs) showTime(display, latest.now + sinceOpened() - latest.at);
  });
  for (const button of document.querySelectorAll<HTMLElement>('[data-advance]')) {
    onPress(button, () => advance(button.dataset['advance'] ?? ''));
  }
  onSend(form, async () => {
    const text = await advance(readForm(form)['advance'] ?? '');
    form.reset();
    return text;
  });
  return {
    show,
    clear() {
      runs = false;
      display.textContent = '–';
      display.title = '';
      display.removeAttribute('datetime');
    },
    async observe() {
      const { api } = context;
      const first = await read(api);
      await wait(pause);
      const second = await read(api);
      runs = hasRun(first, second);
      show(second.now);
    },
  };
}
