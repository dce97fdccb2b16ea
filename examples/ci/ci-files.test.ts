import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { validateAction, validateWorkflow } from '@action-validator/core';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';
import { startServing } from '../../tools/command-line.test-support.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

test('the workflow for GitHub is valid', () => {
  const workflow = read('github-actions.yml');
  expect(validateWorkflow(workflow).errors).toEqual([]);
  expect(validateWorkflow(workflow.replace('runs-on', 'runs')).errors).not.toEqual([]);
});

test('the action is valid', () => {
  const action = read('../../action.yml');
  expect(validateAction(action).errors).toEqual([]);
  expect(validateAction(action.replace('using', 'use')).errors).not.toEqual([]);
});

test('the Dockerfile is valid, and its program is not that of root', () => {
  const dockerfile = read('../../Dockerfile');
  expect(validate(dockerfile)).toEqual([]);
  expect(validate(dockerfile.replace('EXPOSE', 'EXPOSES'))).not.toEqual([]);
  expect(dockerfile.slice(dockerfile.lastIndexOf('FROM'))).toMatch(/^USER node$/m);
});

test('the health check of the image tells a mock that answers from none', async () => {
  const [, command = '[]'] = /^HEALTHCHECK [^[]*(\[.*\])$/m.exec(read('../../Dockerfile')) ?? [];
  const { baseUrl, stop } = await startServing();
  const [program = '', ...args]: string[] = JSON.parse(
    command.replace('http://127.0.0.1:4100', new URL(baseUrl).origin),
  );
  const health = async () => (await once(spawn(program, args), 'exit'))[0];
  expect(await health()).toBe(0);
  await stop();
  expect(await health()).toBe(1);
});
