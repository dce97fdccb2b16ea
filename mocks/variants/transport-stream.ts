import type { Bytes } from '../messages/response.ts';

/**
 * Packs a segment of fragmented MP4 as one of MPEG-TS, with the same frames and times.
 * @param fragment the initialization segment and the segment after it
 */
export async function toTransportStream(fragment: Bytes): Promise<Bytes> {
  const {
    BufferSource,
    BufferTarget,
    EncodedAudioPacketSource,
    EncodedPacketSink,
    EncodedVideoPacketSource,
    Input,
    MP4,
    MpegTsOutputFormat,
    Output,
  } = await import('mediabunny');
  const input = new Input({ source: new BufferSource(fragment), formats: [MP4] });
  const target = new BufferTarget();
  const output = new Output({ format: new MpegTsOutputFormat(), target });
  const [videoTrack, audioTrack] = [
    await input.getPrimaryVideoTrack(),
    await input.getPrimaryAudioTrack(),
  ];
  if (videoTrack === null || audioTrack === null) {
    throw new Error('media: expected a segment with video and sound');
  }
  const video = new EncodedVideoPacketSource('avc');
  const audio = new EncodedAudioPacketSource('aac');
  output.addVideoTrack(video);
  output.addAudioTrack(audio);
  await output.start();
  const ofVideo = await videoTrack.getDecoderConfig();
  const ofAudio = await audioTrack.getDecoderConfig();
  const writeVideo = async () => {
    for await (const packet of new EncodedPacketSink(videoTrack).packets()) {
      await video.add(packet, ofVideo ? { decoderConfig: ofVideo } : {});
    }
    video.close();
  };
  const writeAudio = async () => {
    for await (const packet of new EncodedPacketSink(audioTrack).packets()) {
      await audio.add(packet, ofAudio ? { decoderConfig: ofAudio } : {});
    }
    audio.close();
  };
  await Promise.all([writeVideo(), writeAudio()]);
  await output.finalize();
  return new Uint8Array(target.buffer ?? new ArrayBuffer());
}
