const { LIVESTREAM_URL, LIVESTREAM_CONTROL_URL } = process.env;

/** Every key has its own streams, so test files do not disturb each other. */
const apiKey = `test-${crypto.randomUUID()}`;

async function send(method, url, body) {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
  return response.json();
}

test('a stream that ended has a recording', async () => {
  const { id } = await send('POST', `${LIVESTREAM_URL}/stream`, { name: 'Quay', record: true });
  await send('POST', `${LIVESTREAM_CONTROL_URL}/streams/${id}/start`, { duration: 600 });
  const [session] = await send('GET', `${LIVESTREAM_URL}/stream/${id}/sessions?record=1`);
  expect(session).toMatchObject({ recordingStatus: 'ready', sourceSegmentsDuration: 600 });
});
