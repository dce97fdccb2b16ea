import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { casesOf } from '../../tools/cases.test-support.ts';
import { behaviourIds } from './behaviours.ts';
import { bundledDialects } from './bundled-dialects.ts';
import { dialectSchema } from './dialect.ts';
import { dialectJsonSchema } from './json-schema.ts';
import { positions } from './matrix.ts';
import { samplesOf } from './samples.test-support.ts';
import { writeErrors } from './written-errors.ts';

const isValid = new Ajv2020({ allowUnionTypes: true }).compile(dialectJsonSchema());

test.each(Object.entries(bundledDialects))('the bundled dialect %s fits', (_, dialect) => {
  isValid(dialect);
  expect(isValid.errors).toBeNull();
});

test.each(behaviourIds)('every value of the behaviour %s fits', (id) => {
  for (const value of samplesOf(id)) {
    isValid({ dialect: 3, behaviours: { [id]: value } });
    expect(isValid.errors).toBeNull();
  }
});

test('every cell that an error can have fits', () => {
  const longest = Math.max(...positions.map(({ error }) => error.acceptances.length));
  for (let index = 0; index <= longest; index += 1) {
    const { errors } = writeErrors((endpoint, id) => {
      const position = positions.find((one) => one.endpoint === endpoint && one.error.id === id);
      const word = position?.error.acceptances[index];
      if (word === 'constant') return { constant: 0 };
      if (word === 'redirect') return { redirect: 308 };
      const isLimit = position?.error.limitSteps !== undefined;
      return word ? { as: word } : { status: 418, ...(isLimit && { above: 1, below: 2 }) };
    });
    isValid({ dialect: 3, errors });
    expect(isValid.errors).toBeNull();
  }
});

test.each(
  casesOf(`
{"dialect":2}
  /dialect
{"dialect":3,"refusal":{"key":401}}
  additional properties
{"dialect":3,"refusals":{"keys":401}}
  /refusals
{"dialect":3,"errors":{"createStream":{"key":{"bare":400}}}}
  /errors/createStream/key
{"dialect":3,"errors":{"createStream":{"field:name":{"emtpy":400}}}}
  /errors/createStream/field:name
{"dialect":3,"errors":{"setRecord":{"id":{"unknown":"kept"}}}}
  /errors/setRecord/id/unknown
{"dialect":3,"errors":{"createStream":{"body":{"large":413}}}}
  /errors/createStream/body/large
{"dialect":3,"behaviours":{"list.nxt":"not"}}
  /behaviours
{"dialect":3,"behaviours":{"http.etag":"yes"}}
  /behaviours/http.etag
`),
)('%s does not fit, as when it is read: %s', (text, place) => {
  const dialect = JSON.parse(text);
  expect(isValid(dialect)).toBe(false);
  expect(JSON.stringify(isValid.errors)).toContain(place);
  const isOld = dialect.dialect === 2;
  expect(dialectSchema.safeParse(dialect).success).toBe(isOld);
});

test('an editor explains each error with a sample, and each behaviour with its values', () => {
  const { properties } = JSON.parse(JSON.stringify(dialectJsonSchema()));
  const { errors, behaviours } = properties;
  expect(errors.properties.setRecord.properties['field:record'].properties.null.description).toBe(
    'The value is null. Sample: {"record":null}\nThe mock: 422',
  );
  expect(behaviours.properties['http.etag'].description).toBe(
    `Do responses to GET have an ETag, and is If-None-Match answered with 304?
absent: They have no ETag.
present: They have one, but If-None-Match has no effect.
conditional: They have one, and If-None-Match with it is answered with 304.
The mock: "absent"`,
  );
});
