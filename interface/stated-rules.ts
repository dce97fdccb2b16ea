import { type Cell, isBeyond, isRefusal } from './cells.ts';
import type { Asked } from './errors.ts';

/** A rule that the interface states of errors: a service that does otherwise fails a requirement of the suite. */
type StatedRule = readonly [
  /** What it is about, by operation and error. */
  errors: RegExp,
  requirement: string,
  /** That it is no error: a service must keep the value, or may refuse it, but not take another instead. */
  keep?: 'must' | 'or-refuse',
  /** The value nearest to a limit that the suite sends. */
  sends?: number,
];

const statedRules: readonly StatedRule[] = [
  [/^createStream key:(none|empty)$/, 'AUTH-1'],
  [/^createStream key:(scheme|bare|wrong)$/, 'AUTH-4'],
  [/^createStream field:name:missing$/, 'CREATE-14'],
  [/^createStream field:name:(null|number|boolean|array|object)$/, 'CREATE-17'],
  [/^createStream field:profiles:(text|number|boolean|object)$/, 'CREATE-18'],
  [/^createStream field:profiles\[\]:(text|number|boolean|array)$/, 'CREATE-18'],
  [/^createStream body:(malformed|cut)$/, 'CREATE-22'],
  [/^createStream field:name:characters$/, 'CREATE-3', 'or-refuse'],
  [/^createStream field:name:large$/, 'CREATE-3', 'or-refuse', 300],
  [/^createStream field:profiles\[\]\.name:unusual$/, 'CREATE-4', 'or-refuse'],
  [/^createStream field:profiles\[\]\.bitrate:small$/, 'CREATE-4', 'or-refuse', 64_001],
  [/^createStream field:profiles\[\]\.bitrate:large$/, 'CREATE-4', 'or-refuse', 3_000_000],
  [/^createStream field:profiles\[\]\.fps:small$/, 'CREATE-4', 'or-refuse', 1],
  [/^createStream field:profiles\[\]\.fps:large$/, 'CREATE-4', 'or-refuse', 60],
  [/^createStream field:profiles\[\]\.(width|height):small$/, 'CREATE-4', 'or-refuse', 16],
  [/^createStream field:profiles\[\]\.width:large$/, 'CREATE-4', 'or-refuse', 1_922],
  [/^createStream field:profiles\[\]\.height:large$/, 'CREATE-4', 'or-refuse', 802],
  [/^setRecord key:(none|empty)$/, 'AUTH-2'],
  [/^setRecord key:(scheme|bare|wrong)$/, 'AUTH-5'],
  [/^setRecord key:(cut|extended)$/, 'AUTH-8'],
  [/^setRecord field:record:missing$/, 'RECORD-12'],
  [/^setRecord field:record:(null|truth|text|number|array|object)$/, 'RECORD-13'],
  [/^setRecord id:(unknown|malformed)$/, 'RECORD-14'],
  [/^setRecord id:session$/, 'RECORD-10'],
  [/^updateStream field:record:given$/, 'RECORD-16'],
  [/^listSessionsOfStream key:(none|empty)$/, 'AUTH-3'],
  [/^listSessionsOfStream key:(scheme|bare|wrong)$/, 'AUTH-6'],
  [/^listSessionsOfStream key:(cut|extended)$/, 'AUTH-9'],
  [/^listSessionsOfStream query:record:given$/, 'LIST-3', 'must'],
];

/** The requirement that a cell breaks: it accepts what the interface rules out, or the other way round. */
export function requirementBroken(asked: Asked, error: string, cell: Cell): string | undefined {
  const rule = statedRules.find(([errors]) => errors.test(`${asked} ${error}`));
  if (rule === undefined) return undefined;
  const [, requirement, keep, sends] = rule;
  if (sends !== undefined && !isBeyond(error, sends, cell)) return undefined;
  const isRefused = isRefusal(cell) && cell.status < 500;
  // What is sent has the right type, so a conversion keeps it.
  const isKept = 'as' in cell && ['kept', 'text', 'number'].includes(cell.as);
  const holds = (isRefused && keep !== 'must') || (isKept && keep !== undefined);
  return holds ? undefined : requirement;
}
