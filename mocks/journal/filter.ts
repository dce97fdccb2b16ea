import { clientOperationNames, mediaRouteNames } from '../../interface/operation-names.ts';
import { describeValue, Problem } from '../problems/problem.ts';
import type { Exchange } from './exchange.ts';

/**
 * The exchanges that a query asks for.
 * @throws Problem 422 for a parameter out of its form.
 */
export function filterExchanges(
  exchanges: readonly Exchange[],
  query: URLSearchParams,
): readonly Exchange[] {
  const tests = Object.entries(filters).flatMap(([name, createTest]) => {
    const given = query.get(name);
    return given === null ? [] : [createTest(name, given)];
  });
  return exchanges.filter((exchange) => tests.every((test) => test(exchange)));
}

const mediaRoutes: ReadonlySet<string> = new Set(mediaRouteNames);

type Test = (exchange: Exchange) => boolean;

const filters: Readonly<Record<string, (name: string, given: string) => Test>> = {
  operation(name, given) {
    refuseUnless(
      clientOperationNames.some((known) => known === given),
      { name, given, expected: `one of ${clientOperationNames.join(', ')}` },
    );
    return ({ operation }) => operation === given;
  },
  status(name, given) {
    refuseUnless(/^(0|\d{3}|\dxx)$/i.test(given), {
      name,
      given,
      expected: 'a status such as 404, or a class such as 4xx',
    });
    const form = new RegExp(`^${given.replaceAll(/x/gi, '\\d')}$`);
    return ({ answer }) => form.test(String(answer.status));
  },
  media(name, given) {
    refuseUnless(given === '0', { name, given, expected: '0, to leave it out' });
    return ({ operation }) => operation === undefined || !mediaRoutes.has(operation);
  },
  from(name, given) {
    refuseUnless(/^\d{1,15}$/.test(given), { name, given, expected: 'the number of an exchange' });
    return ({ number }) => number >= Number(given);
  },
  since(name, given) {
    const moment = readMoment(name, given);
    return ({ at }) => at >= moment;
  },
  until(name, given) {
    const moment = readMoment(name, given);
    return ({ at }) => at <= moment;
  },
};

function readMoment(name: string, given: string): number {
  refuseUnless(/^\d{1,15}$/.test(given), { name, given, expected: 'milliseconds since 1970' });
  return Number(given);
}

interface Refusal {
  readonly name: string;
  readonly given: string;
  readonly expected: string;
}

function refuseUnless(fits: boolean, { name, given, expected }: Refusal): void {
  if (fits) return;
  throw new Problem('invalid', {
    path: `query ${name}`,
    expected,
    got: describeValue(given),
  });
}
