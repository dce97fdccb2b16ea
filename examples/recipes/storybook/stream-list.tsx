import { useEffect, useState } from 'react';

interface Stream {
  id: string;
  name: string;
  isActive?: boolean;
}

export function StreamList() {
  const [streams, setStreams] = useState<Stream[]>();
  useEffect(() => {
    fetch('/api/stream', { headers: { authorization: 'Bearer test-demo' } })
      .then((response) => response.json())
      .then(setStreams);
  }, []);
  if (streams?.length === 0) return <p>No streams yet</p>;
  return (
    <ul>
      {streams?.map(({ id, name, isActive }) => (
        <li key={id}>{isActive ? `${name} (live)` : name}</li>
      ))}
    </ul>
  );
}
