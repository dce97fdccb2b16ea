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
  expect(resolveDialect({ dialect: 2 })).toEqual(defaultDialect);
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

test('the form of refusals can have a message and a status', () => {
  const json = { errors: ['{message}'], code: '{status}' };
  const refusalBody = { type: 'application/json', json };
  expect(dialectSchema.safeParse({ dialect: 2, refusalBody }).error).toBe(undefined);
});

test.each(
  casesOf(`
{"dialect":1}
  dialect: 2, the version of the format that \`livestream-mock learn\` writes
{"refusalBody":{"type":"application/json","json":{"errors":["{mesage}"]}}}
  refusalBody: no placeholders other than {message} and {status}
{"refusals":{"createStreams":{"key:none":400}}}
  refusals.createStreams.key:none: an entry for one of createStream
{"refusals":{"createStream":{"field:name:emtpy":400}}}
  refusals.createStream.field:name:emtpy: an entry for an error that the operation has, perhaps field:name:empty
{"refusals":{"setRecord":{"id:unknown":"kept"}}}
  refusals.setRecord.id:unknown: a status from 400 to 599, or one of done
{"refusals":{"createStream":{"body:large":{"status":413,"above":100}}}}
  refusals.createStream.body:large: also "above" and "below": a limit lies between them
{"refusals":{"createStream":{"body:large":{"status":413,"above":-1,"below":2}}}}
  refusals.createStream.body:large.above: a number, 0 or above
{"behaviours":{"response.shows":{"deleteStream":{"status":300}}}}
  behaviours.response.shows.deleteStream.status: a status from 200 to 299
{"behaviours":{"response.wrapped":{"listStreams":{}}}}
  behaviours.response.wrapped.listStreams: null, or an object with "{result}" at one key
{"behaviours":{"profiles.default":{"none":[]}}}
  behaviours.profiles.default.none: empty, absent, null or an array of profiles
{"behaviours":{"cors.max-age":-1}}
  behaviours.cors.max-age: null or a whole number of seconds, up to 86400
{"behaviours":{"cors.exposed-headers":[1]}}
  behaviours.cors.exposed-headers.0: a header name in lower case
{"behaviours":{"http.headers":{"server":1}}}
  behaviours.http.headers.server: a header value
`),
)('a dialect with %s is refused with what is expected: %s', (entries, expected) => {
  const { error } = dialectSchema.safeParse({ dialect: 2, ...JSON.parse(entries) });
  const issues = error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  expect(issues).toEqual([expect.stringContaining(expected)]);
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

test('a wrong key that is accepted breaks the rules about keys that are almost right as well', () => {
  const accepted = { 'key:wrong': 'kept' } as const;
  const refusals = { setRecord: accepted, listSessionsOfStream: accepted };
  const broken = breachesOf({ dialect: 2, refusals }).flatMap(({ requirements }) => requirements);
  expect(broken).toEqual(['AUTH-5', 'AUTH-8', 'AUTH-6', 'AUTH-9']);
});

test.each([
  ['kept', 200, ['RECORD-16']],
  ['dropped', 200, []],
  ['kept', 404, []],
] as const)(
  'record that an update of a stream leaves %s breaks a rule if there are updates',
  (record, status, requirements) => {
    const given = status === 404 ? { 'operation:given': 404 } : {};
    const refusals = { updateStream: { 'field:record:given': record, ...given } };
    const broken = breachesOf({ dialect: 2, refusals }).flatMap((rule) => rule.requirements);
    expect(broken).toEqual(requirements);
  },
);
