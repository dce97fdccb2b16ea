import { createMock } from '../../mocks/mock.ts';
import { conformanceTests } from '../vitest.ts';

const mock = createMock({ now: Date.now, recordingDelay: 0 });

conformanceTests({
  baseUrl: 'http://mock.test/api',
  apiKey: mock.apiKey,
  async send(request) {
    const response = await mock.fetch(request);
    return response.status === 204 ? new Response(null, { status: 200 }) : response;
  },
  areas: ['record'],
  deviations: {
    known: new Map([['RECORD-1', { reason: 'it answers 200' }]]),
    inapplicable: new Map([['RECORD-4', 'values are set once']]),
  },
});
