import { createMock } from 'livestream-mock';

/** Answers the requests of all stories. */
export const mock = createMock({ now: Date.now });
