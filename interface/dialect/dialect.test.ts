import { expect, test } from 'vitest';
import { casesOf } from '../../tools/cases.test-support.ts';
import { behaviourIds, definitionOf } from './behaviours.ts';
import { breachesOf } from './breaches.ts';
import { bundledDialects } from './bundled-dialects.ts';
import { dialectSchema } from './dialect.ts';
import { endpointNames, errorsOf } from './errors.ts';
import { defaultDialect, resolveDialect } from './resolve.ts';
import { samplesOf } from './samples.test-support.ts';

test('a dialect without entries is what the mock does', () => {
  expect(resolveDialect({ dialect: 3 })).toEqual(defaultDialect);
});

test.each(Object.entries(bundledDialects))('the bundled dialect %s is valid', (_, dialect) => {
  expect(dialectSchema.parse(dialect)).toEqual(dialect);
});

test('there are at most 60 behaviours, each with a default and samples that fit', () => {
  expect(behaviourIds.length).toBeLessThanOrEqual(60);
  for (const id of behaviourIds) {
    const { values } = definitionOf(id);
    for (const value of samplesOf(id)) {
      const { success } = values.safeParse(value);
      expect({ id, value, success }).toEqual({ id, value, success: true });
    }
  }
});

test.each(behaviourIds)('the example of the behaviour %s is valid, and not the default', (id) => {
  const { values, example, defaultValue } = definitionOf(id);
  expect(values.safeParse(example).error).toBeUndefined();
  expect(example).not.toEqual(defaultValue);
});

test('the form of refusals can have a message and a status', () => {
  const json = { errors: ['{message}'], code: '{status}' };
  const refusalBody = { type: 'application/json', json };
  expect(dialectSchema.safeParse({ dialect: 3, refusalBody }).error).toBe(undefined);
});

test.each(
  casesOf(`
{"dialect":1}
  dialect: 3, the version of the format that \`livestream-mock learn\` writes, or 2
{"refusal":{"key":401}}
  : known keys ($schema, dialect, about, refusals, errors, name, refusalBody, orders, behaviours, routes)
{"dialect":2,"errors":{}}
  : known keys (dialect, refusals, name, refusalBody, orders, behaviours, routes)
{"refusalBody":{"type":"application/json","json":{"errors":["{mesage}"]}}}
  refusalBody: no placeholders other than {message} and {status}
{"refusals":{"key":"accepted"}}
  refusals.key: a status from 400 to 599, or {"status","body"}
{"errors":{"createStreams":{"key":{"none":400}}}}
  errors.createStreams.key.none: an entry for one of everyOperation, createStream
{"errors":{"createStream":{"key":{"bare":400}}}}
  errors.createStream.key.bare: an entry at everyOperation, because all operations treat this error alike
{"errors":{"createStream":{"field:name":{"emtpy":400}}}}
  errors.createStream.field:name.emtpy: an error that createStream has, perhaps field:name:empty
{"errors":{"createStream":{"*":{"*":400}}}}
  errors.createStream.*.*: an error that createStream has
{"errors":{"setRecord":{"id":{"unknown":"kept"}}}}
  errors.setRecord.id.unknown: a status from 400 to 599, or one of done
{"errors":{"createStream":{"body":{"large":{"status":413,"above":100}}}}}
  errors.createStream.body.large: also "above" and "below": a limit lies between them
{"errors":{"createStream":{"body":{"large":{"status":413,"above":-1,"below":2}}}}}
  errors.createStream.body.large.above: a number, 0 or above
{"dialect":2,"refusals":{"createStreams":{"key:none":400}}}
  refusals.createStreams.key:none: an entry for one of createStream
{"dialect":2,"refusals":{"createStream":{"field:name:emtpy":400}}}
  refusals.createStream.field:name:emtpy: an entry for an error that the operation has, perhaps field:name:empty
{"dialect":2,"refusals":{"setRecord":{"id:unknown":"kept"}}}
  refusals.setRecord.id:unknown: a status from 400 to 599, or one of done
{"dialect":2,"refusals":{"createStream":{"body:large":{"status":413,"above":100}}}}
  refusals.createStream.body:large: also "above" and "below": a limit lies between them
{"behaviours":{"response.shows":{"deleteStream":{"status":300}}}}
  behaviours.response.shows.deleteStream.status: a status from 200 to 299
{"behaviours":{"response.wrapped":{"listStreams":{}}}}
  behaviours.response.wrapped.listStreams: null, or an object with "{result}" at one key
{"behaviours":{"profiles.default":{"none":[]}}}
  behaviours.profiles.default.none: empty, absent, null or an array of profiles
{"behaviours":{"cors.max-age":-1}}
  behaviours.cors.max-age: null or a whole number of seconds, up to 86400
{"behaviours":{"cors.exposed-headers":[1]}}
  behaviours.cors.exposed-headers.0: a header name, or *
{"behaviours":{"http.headers":{"server":1}}}
  behaviours.http.headers.server: a header value
`),
)('a dialect with %s is refused with what is expected: %s', (entries, expected) => {
  const { error } = dialectSchema.safeParse({ dialect: 3, ...JSON.parse(entries) });
  const issues = error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  expect(issues).toEqual([expect.stringContaining(expected)]);
});

test('the names of headers have no letter case, and * stands for all of them', () => {
  const behaviours = {
    'cors.exposed-headers': ['X-Total_Count', '*'],
    'http.headers': { 'X-Powered-By': 'Express' },
  };
  expect(dialectSchema.parse({ dialect: 3, behaviours }).behaviours).toEqual({
    'cors.exposed-headers': ['x-total_count', '*'],
    'http.headers': { 'x-powered-by': 'Express' },
  });
});

test('every error has a cell, an id of its own and at least one wrong request', () => {
  for (const endpoint of endpointNames) {
    const ids = errorsOf[endpoint].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, flaws } of errorsOf[endpoint]) {
      const hasCell = id in defaultDialect.cells[endpoint];
      expect({ id, hasCell, isTried: flaws.length > 0 }).toEqual({
        id,
        hasCell: true,
        isTried: true,
      });
    }
  }
});

test.each([
  ['profiles[].fps', 'fraction', 'null', 'rounded'],
  ['name', 'padded', 'number', 'trimmed'],
  ['profiles', 'object', 'text', 'in-array'],
])('a value of %s can be %s or %s, but only the first can be %s', (field, fits, other, word) => {
  const isPossible = (kind: string): boolean => {
    const errors = { createStream: { [`field:${field}`]: { [kind]: word } } };
    return dialectSchema.safeParse({ dialect: 3, errors }).success;
  };
  expect([isPossible(fits), isPossible(other)]).toEqual([true, false]);
});

test('a wrong key that is accepted breaks the rules about keys that are almost right as well', () => {
  const accepted = { key: { wrong: 'accepted' } } as const;
  const errors = { setRecord: accepted, listSessionsOfStream: accepted };
  const broken = breachesOf({ dialect: 3, errors }).flatMap(({ requirements }) => requirements);
  expect(broken).toEqual(['AUTH-5', 'AUTH-8', 'AUTH-6', 'AUTH-9']);
});

test.each([
  ['kept', 200, ['RECORD-16']],
  ['dropped', 200, []],
  ['kept', 404, []],
] as const)(
  'record that an update of a stream leaves %s breaks a rule if there are updates',
  (record, status, requirements) => {
    const given = status === 404 ? { operation: { given: 404 } } : {};
    const errors = { updateStream: { 'field:record': { given: record }, ...given } };
    const broken = breachesOf({ dialect: 3, errors }).flatMap((rule) => rule.requirements);
    expect(broken).toEqual(requirements);
  },
);
