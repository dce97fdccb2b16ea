import { isDeepStrictEqual } from 'node:util';
import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { formOf } from '../../form.ts';
import { isObject, type Json } from '../../json.ts';
import type { Finding } from './finding.ts';

/** What is known of the texts in the refusals of a service. */
export interface RefusalTexts {
  /** Places whose text was another when the same was asked again, such as `reason` or `errors[]`. */
  readonly varying: Set<string>;
  /** Forms that were asked for again. */
  readonly asked: Set<string>;
}

export function createRefusalTexts(): RefusalTexts {
  return { varying: new Set(), asked: new Set() };
}

type Two<Value> = readonly [Value, Value];

/**
 * How the forms of two refusals differ; their content type is compared as a header. A text at a varying
 * place counts as any text that is no code, unless the other side has the same one: some services vary a
 * text in some refusals only.
 */
export function compareForms(responses: Two<TargetResponse>, texts: Two<RefusalTexts>): Finding[] {
  const [one, other] = [contentOf(responses[0]), contentOf(responses[1])];
  const first = replaceTexts(one, other, { ...texts[0], place: '' });
  const second = replaceTexts(other, one, { ...texts[1], place: '' });
  if (isDeepStrictEqual(first, second)) return [];
  return [{ where: 'refusal', kinds: [JSON.stringify(first), JSON.stringify(second)] }];
}

/** Notes the places at which two refusals of the same request by one service have another text. */
export function noteVarying(responses: Two<TargetResponse>, { varying }: RefusalTexts): void {
  if (responses[0].status !== responses[1].status) return;
  for (const place of differingTexts(contentOf(responses[0]), contentOf(responses[1]), '')) {
    varying.add(place);
  }
}

/** The form of a refusal's JSON, or what it is instead. */
function contentOf(response: TargetResponse): Json {
  const form = formOf(response);
  return form === 'empty' ? form : (form.json ?? 'text');
}

interface Around {
  readonly varying: ReadonlySet<string>;
  readonly place: string;
}

function replaceTexts(value: Json, other: Json | undefined, { varying, place }: Around): Json {
  if (typeof value === 'string') {
    return varying.has(place) && value !== other ? '{message}' : value;
  }
  if (Array.isArray(value)) {
    const items = value.map((item, index) =>
      replaceTexts(item, itemOf(other, index), { varying, place: `${place}[]` }),
    );
    // A form has each item once.
    return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const within = { varying, place: `${place}.${key}` };
      return [key, replaceTexts(item as Json, memberOf(other, key), within)];
    }),
  );
}

function differingTexts(one: unknown, other: unknown, place: string): string[] {
  if (typeof one === 'string') return typeof other === 'string' && one !== other ? [place] : [];
  if (Array.isArray(one)) {
    return one.flatMap((item, index) => differingTexts(item, itemOf(other, index), `${place}[]`));
  }
  if (!isObject(one)) return [];
  return Object.entries(one).flatMap(([key, item]) =>
    differingTexts(item, memberOf(other, key), `${place}.${key}`),
  );
}

function itemOf(value: unknown, index: number): Json | undefined {
  return Array.isArray(value) ? value[index] : undefined;
}

function memberOf(value: unknown, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? (value[key] as Json) : undefined;
}
