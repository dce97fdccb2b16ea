import { describe, expect, test } from 'vitest';
import type { Behaviours } from '../../../interface/silent.ts';
import { against } from '../against.test-support.ts';
import { compare } from '../compare.ts';

describe('the path of a difference', () => {
  const everywhere: Partial<Behaviours> = {
    'cors.requests': 'none',
    'http.json-type': 'application/json',
  };

  test('shows what its last step shows, whatever the steps before it do', async () => {
    const { differences } = await compare({ ...against(everywhere), path: '2:0,1' });
    const operations = new Set(differences.map(({ found }) => found.operation));
    const places = differences.map(({ found }) => found.where);
    expect(operations.size).toBe(1);
    expect(operations).not.toContain('createStream');
    expect(places).toEqual([
      'header access-control-allow-origin',
      'header access-control-expose-headers',
    ]);
  });

  test('of any difference that a search finds repeats it', async () => {
    const rows: Partial<Behaviours> = {
      ...everywhere,
      'create.unknown-field': { status: 422 },
      'delete.shows': 'stream',
      'refusal.unknown-id.retrieveStream': { status: 400 },
    };
    const { differences } = await compare({ ...against(rows), operations: 600, most: 3 });
    expect(differences).toHaveLength(3);
    for (const { signature, path } of differences) {
      const again = await compare({ ...against(rows), path, explain: false });
      expect(again.differences.map((one) => one.signature)).toContain(signature);
    }
  }, 120_000);

  test('cannot have steps that its sequence does not have', async () => {
    await expect(compare({ ...against({}), path: '2:0,1,999' })).rejects.toThrow(
      /^path: expected steps from 0 to \d+, which sequence 2 has, got 999$/,
    );
  });
});
