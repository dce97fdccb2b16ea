export default async function Page() {
  const headers = { authorization: `Bearer ${process.env.LIVESTREAM_KEY}` };
  const response = await fetch(`${process.env.LIVESTREAM_URL}/stream`, {
    headers,
    cache: 'no-store',
  });
  const streams = await response.json();
  return (
    <ul>
      {streams.map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
    </ul>
  );
}
