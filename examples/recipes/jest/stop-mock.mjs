export default async function stopMock() {
  await globalThis.mockServer.close();
}
