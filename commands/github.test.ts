import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { serveMock, serveProxy } from '../conformance/servers.test-support.ts';
import { runCommandIn } from '../tools/command-line.test-support.ts';
import { temporaryFile } from '../tools/temporary.test-support.ts';

async function checkBroken(env: NodeJS.ProcessEnv): Promise<string> {
  const { mock } = await serveMock();
  const { baseUrl } = await serveProxy({ mock }, async (request) => {
    if (request.method !== 'PATCH') return undefined;
    const answer = await mock.fetch(request);
    return answer.ok ? new Response(null, { status: 200 }) : answer;
  });
  const target = ['--base-url', baseUrl, '--api-key', 'test-github', '--area', 'record'];
  return (await runCommandIn({ env }, 'check', ...target)).stdout;
}

test('a job on GitHub gets its failures as annotations, and the report as its summary', async () => {
  const summary = temporaryFile('summary.md');
  const stdout = await checkBroken({ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary });
  expect(stdout).toMatch(/^::error title=RECORD-1.*expected status 204 and no body, got 200/m);
  expect(readFileSync(summary, 'utf8')).toMatch(/^## ❌ Not conformant in the area record/);
});

test('elsewhere nothing is annotated', async () => {
  expect(await checkBroken({ GITHUB_ACTIONS: '' })).not.toContain('::');
});
