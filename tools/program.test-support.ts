import { inject, TestRunner } from 'vitest';
import type { Programs } from './programs.ts';

/** The path of a program that the test runs. If the machine lacks it, the test is skipped. */
export function program(name: keyof Programs): string {
  const path = inject('programs')[name];
  if (path !== undefined) return path;
  const test = TestRunner.getCurrentTest();
  if (test === undefined) throw new Error(`Ask for ${name} in a test: a hook cannot be skipped.`);
  return test.context.skip(`${name} is missing`);
}
