/**
 * Runs in a page: sends the camera to an address, as a WHIP client does, and returns the status. If encodings are named, it
 * offers them all.
 */
export async function sendCamera(url: string, encodings: readonly string[]): Promise<number> {
  const media = await navigator.mediaDevices.getUserMedia({ video: true, audio: true });
  const connection = new RTCPeerConnection();
  Object.assign(window, { connection });
  const sendEncodings = encodings.map((rid) => ({ rid }));
  for (const track of media.getTracks()) {
    const isSimulcast = track.kind === 'video' && encodings.length > 0;
    connection.addTransceiver(track, {
      direction: 'sendonly',
      ...(isSimulcast && { sendEncodings }),
    });
  }
  await connection.setLocalDescription();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp' },
    body: connection.localDescription?.sdp ?? '',
  });
  await connection.setRemoteDescription({ type: 'answer', sdp: await response.text() });
  return response.status;
}
