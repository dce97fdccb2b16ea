import { type Behaviours, defaultBehaviours, respellableKeys } from './behaviours.ts';
import { acceptanceWords, type Cell, isRefusal } from './cells.ts';
import type { AnyDialect } from './dialect.ts';
import { endpointNames, errorsOf } from './errors.ts';
import { type CellOf, isMasked } from './matrix.ts';
import { resolveDialect } from './resolve.ts';
import {
  requirementsBroken,
  requirementsOfBehaviours,
  requirementsOfKeys,
} from './stated-rules.ts';

/** A stated rule that a dialect breaks, in words, and the requirements of the suite that then fail. */
interface Breach {
  readonly statement: string;
  readonly requirements: readonly string[];
}

/** The stated rules that a dialect breaks on purpose. */
export function breachesOf(dialect: AnyDialect): Breach[] {
  const { cells, behaviours } = resolveDialect(dialect);
  const cellOf: CellOf = (endpoint, error) => cells[endpoint][error];
  const cellBreaches = endpointNames.flatMap((endpoint) =>
    errorsOf[endpoint].flatMap(({ id }): Breach[] => {
      const cell = cells[endpoint][id];
      const requirements = requirementsBroken(endpoint, id, cell);
      if (requirements.length === 0 || isMasked(endpoint, id, cellOf)) return [];
      const statement = `${endpoint}: ${id} is ${describeCell(cell)}`;
      return [{ statement, requirements }];
    }),
  );
  return [...cellBreaches, ...behaviourBreaches(behaviours)];
}

function behaviourBreaches(behaviours: Behaviours): Breach[] {
  const breaches: Breach[] = [];
  const addBreach = (statement: string, ...requirements: readonly string[]): void => {
    breaches.push({ statement, requirements });
  };
  const { omitted } = behaviours['profiles.default'];
  if (typeof omitted !== 'string') {
    const names = omitted.map(({ name }) => name).join(', ');
    const statement = `A stream that is created without profiles has ${names}`;
    addBreach(statement, requirementsOfBehaviours['profiles.default']);
  }
  const spellings = behaviours['keys.spelling'];
  const keys = respellableKeys.filter((key) => key in spellings);
  if (keys.length > 0) {
    const spelled = keys.map((key) => `${key} as ${spellings[key]}`).join(', ');
    addBreach(`It spells ${spelled}`, ...keys.flatMap((key) => requirementsOfKeys[key]));
  }
  // Only the two together break this rule.
  const { 'list.next': next, 'list.page-size': size } = behaviours;
  const defaultSize = Number(defaultBehaviours['list.page-size'].listSessionsOfStream);
  const isSmaller = Number(size.listSessionsOfStream) < defaultSize;
  if (next.listSessionsOfStream === 'not' && isSmaller) {
    const statement = 'listSessionsOfStream has pages, and nothing points to the next one';
    addBreach(statement, requirementsOfBehaviours['list.next']);
  }
  return breaches;
}

/** What happens to an error, as the end of a sentence. */
function describeCell(cell: Cell): string {
  if (isRefusal(cell)) return `answered with status ${cell.status}`;
  if ('constant' in cell) return `replaced by ${JSON.stringify(cell.constant)}`;
  if ('redirect' in cell) return 'redirected';
  return acceptanceWords[cell.as].participle;
}

/** A dialect in one line: its name, and the stated rules that it breaks. */
export function describeDialect(dialect: AnyDialect): string {
  const breaches = describeBreaches(dialect);
  const nameSentence = `Dialect: ${dialect.name ?? 'without a name'}.`;
  if (breaches.length === 0) return nameSentence;
  return `${nameSentence} It breaks rules that the interface states: ${breaches.join(' ')}`;
}

/** The stated rules that a dialect breaks, each as a sentence with its requirements: a rule can have several. */
export function describeBreaches(dialect: AnyDialect): string[] {
  return breachesOf(dialect).map(
    ({ statement, requirements }) => `${statement} (${requirements.join(', ')}).`,
  );
}
