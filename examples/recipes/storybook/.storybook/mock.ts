import { createMock } from 'livestream-mock';

/** Handles the requests of all stories. */
export const mock = createMock({ now: Date.now });
