import { inject, TestRunner } from 'vitest';
import type { Programs } from './programs.ts';
import { lacking } from './test-setup.ts';

/** The path of a program that the test runs. Where the machine lacks it, the test is left out and counted. */
export function program(name: keyof Programs): string {
  const path = inject('programs')[name];
  if (path !== undefined) return path;
  const test = TestRunner.getCurrentTest();
  if (test === undefined) throw new Error(`Ask for ${name} in a test: a hook cannot be left out.`);
  return test.context.skip(lacking);
}
