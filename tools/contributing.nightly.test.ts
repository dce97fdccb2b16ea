import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './temporary.test-support.ts';

const root = resolve(import.meta.dirname, '..');
const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

/** Text to insert into each file, before text that is there. */
type Edits = Readonly<Record<string, readonly (readonly [added: string, before: string])[]>>;

/** What someone adds by following a section of CONTRIBUTING.md. */
interface Addition {
  readonly what: string;
  readonly section: string;
  readonly edits: Edits;
}

const requirement: Addition = {
  what: 'a requirement with its mutant',
  section: 'Add a requirement with its mutant',
  edits: {
    'conformance/checks/record.ts': [
      [
        `  'RECORD-99': {
    clause: '4.2',
    statement: 'Turning recording on and off again answers with status 204.',
    async check({ call, createStream, setRecord }) {
      const { id } = await createStream();
      await setRecord(id, true);
      expectNoContent(await call(patchRecord(id, { record: false })));
    },
  },
`,
        "  'RECORD-2': {",
      ],
    ],
    'conformance/mutants/record.ts': [
      [
        `  'record-answers-202-to-off': breaks(
    'RECORD-99',
    rewriteResponse('record', ({ ok }, { body }) =>
      ok && body['record'] === false ? emptyResponse(202) : undefined,
    ),
  ),
`,
        "  'record-refuses-off'",
      ],
    ],
    'conformance/mutants/beyond-dialects.ts': [["  'RECORD-99': true,\n", "  'LIST-1': true,"]],
  },
};

const additions: readonly Addition[] = [
  {
    what: 'a field that clients send, and one that the service fills in',
    section: 'Add a field to the stream',
    edits: {
      'interface/types.ts': [
        ["  'location',\n", "  'userTags',\n"],
        ['  zone: string;\n', '  createdByTokenName: string;\n'],
      ],
      'interface/dialect/fields.ts': [["  location: ['quay', 'pier'],\n", '  userTags: [']],
      'interface/schemas.ts': [['  zone: textSchema,\n', '  createdByTokenName: textSchema,\n']],
      'interface/dialect/behaviours.ts': [["zone: 'text',\n", "createdByTokenName: 'text',\n"]],
      'mocks/service/views.ts': [["    zone: 'local',\n", "    createdByTokenName: '"]],
      'mocks/media/media-counts.test.ts': [["    zone: 'local',\n", "    createdByTokenName: '"]],
    },
  },
  requirement,
  {
    what: 'a behaviour',
    section: 'Add an error or a behaviour',
    edits: {
      'interface/dialect/behaviours.ts': [
        [
          `  'create.link': choice('Does creating a stream return a Link header?', {
    absent: 'It does not.',
    present: 'It does.',
  }),
`,
          "  'create.location': choice(",
        ],
      ],
      'mocks/http/interface-handlers.ts': [
        [
          "dialect.behaviours['create.link'] === 'present' ? { link: '</>; rel=up' } : ",
          "dialect.behaviours['create.location'] === 'absent' ? {} : { location }",
        ],
      ],
      'fidelity/learn/behaviours/probe-behaviours.ts': [
        [
          `  async 'create.link'(context) {
    const { headers } = (await acceptedOf('createStream')(context)).response;
    return headers.has('link') ? 'present' : 'absent';
  },
`,
          "  async 'create.location'(",
        ],
      ],
    },
  },
  {
    what: 'a fault effect',
    section: 'Add a fault effect',
    edits: {
      'mocks/faults/fault.ts': [['  teapot: RequestScope;\n', '  reset: RequestScope;\n']],
      'mocks/faults/effects.ts': [
        [
          `  teapot: {
    summary: 'A teapot answers.',
    respond: async () => respondWith(418, { errors: ['a teapot'] }),
  },
`,
          '  reset: {\n',
        ],
      ],
    },
  },
];

test.each(additions)('$what is added by the steps of "$section"', (addition) => {
  const copy = copyOfProject();
  add(copy, addition);
  expectPassed(run(copy, 'typecheck'));
  for (const words of commandsOf(addition)) expectPassed(run(copy, ...words));
});

test('no quick test fails but those that the steps run', () => {
  const copy = copyOfProject();
  for (const addition of additions) add(copy, addition);
  for (const words of additions.flatMap(commandsOf)) {
    // What two additions change is written anew only by the commands of the second.
    run(copy, ...words);
  }
  expectPassed(run(copy, 'test:quick', '--', '--reporter=dot'));
});

test('a requirement does not compile before it is said whether a dialect can break it', () => {
  const copy = copyOfProject();
  const { 'conformance/mutants/beyond-dialects.ts': _, ...edits } = requirement.edits;
  add(copy, { ...requirement, edits });
  const { status, printed } = run(copy, 'typecheck');
  expect(status).not.toBe(0);
  expect(printed).toMatch(/beyond-dialects\.ts.*RECORD-99/);
});

/** The text of the section that an addition follows. */
function stepsOf({ section }: Addition): string {
  const [, steps = ''] = guide.split(`## ${section}\n`);
  return steps.split('\n## ')[0] ?? '';
}

/** The quick tests that the section runs, as words for npm. */
function commandsOf(addition: Addition): string[][] {
  const commands = [...stepsOf(addition).matchAll(/`npm run (test:quick -- [^`]+)`/g)];
  expect(commands).not.toEqual([]);
  return commands.map(([, words = '']) => words.split(' '));
}

function add(copy: string, addition: Addition): void {
  const steps = stepsOf(addition);
  for (const [file, changes] of Object.entries(addition.edits)) {
    const isNamed = steps.includes(`\`${file}\``) || steps.includes(`\`${dirname(file)}/\``);
    expect(isNamed, `${addition.section} names ${file}`).toBe(true);
    writeFileSync(join(copy, file), edited(readFileSync(join(copy, file), 'utf8'), changes));
  }
}

function expectPassed({ status, printed }: ReturnType<typeof run>): void {
  expect(status, printed).toBe(0);
}

function run(cwd: string, ...script: string[]): { status: number | null; printed: string } {
  const { status, stdout, stderr } = spawnSync('npm', ['run', ...script], {
    cwd,
    encoding: 'utf8',
  });
  // vitest names what failed on standard error.
  return { status, printed: `${stdout}${stderr}`.slice(-10_000) };
}

function copyOfProject(): string {
  const folder = join(temporaryFolder(), 'copy');
  execFileSync('git', ['clone', '--quiet', root, folder]);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

function edited(text: string, changes: Edits[string]): string {
  return changes.reduce((edited, [added, before]) => {
    expect(edited).toContain(before);
    return edited.replace(before, () => added + before);
  }, text);
}
