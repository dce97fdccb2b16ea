import { expect, test } from 'vitest';
import { optionError } from '../text/option-error.ts';
import { asOrigin, asText } from './option-values.ts';
import { optional } from './options.ts';
import { asArgumentError, readArguments } from './read-arguments.ts';

const origins = ['http://localhost:5173', 'https://a.test', 'http://[::1]:4100', 'app://localhost'];

test.each(origins)('%s is the origin of a page', (origin) => {
  expect(asOrigin(origin)).toBe(origin);
});

test.each([
  { args: ['--seed', 'rtmp'], values: { seed: 'rtmp' } },
  { args: ['--rtmp', '--seed', 'a'], values: { rtmp: '1935', seed: 'a' } },
  { args: ['--rtmp', '2000'], values: { rtmp: '2000' } },
])('only an option without a value gets its default: $args', async ({ args, values }) => {
  const table = {
    rtmp: { ...optional('PORT', '', '', asText), bare: '1935' },
    seed: optional('TEXT', '', '', asText),
  };
  expect(await readArguments(args, table)).toEqual(values);
});

test('an error about all faults names the option that gives one', () => {
  const error = optionError(TypeError, 'faults', 'expected at most 100');
  expect(asArgumentError(error)).toMatchObject({ message: 'option --fault: expected at most 100' });
});

test.each([
  [['--seeds', 'a'], 'option --seeds: expected a known option, perhaps --seed'],
  [['--insecure=yes'], 'option --insecure: expected a known option; --help shows them'],
  [['--seed', 'a', '-s'], 'option -s: expected a known option, perhaps --seed'],
  [['--seed', 'a', 'b'], 'arguments: expected only options, got "b"; --help shows them'],
])('%j is refused', async (args, message) => {
  const table = { seed: optional('TEXT', '', '', asText) };
  await expect(readArguments(args, table)).rejects.toThrow(message);
});
