import { render, screen } from '@testing-library/react';
import { test } from 'livestream-mock/vitest';
import { useEffect, useState } from 'react';

/** Yours: a component that asks the service at the page's own origin. */
function StreamList() {
  const [streams, setStreams] = useState<{ id: string; name: string }[]>([]);
  useEffect(() => {
    fetch('/api/stream', { headers: { authorization: 'Bearer test-demo' } })
      .then((response) => response.json())
      .then(setStreams);
  }, []);
  return (
    <ul>
      {streams.map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
    </ul>
  );
}

test.override({ livestream: { baseUrl: '/api' } });

test('the list shows a stream', async ({ mock }) => {
  await mock.createStream({ name: 'Harbour camera' });
  render(<StreamList />);
  await screen.findByText('Harbour camera');
});
