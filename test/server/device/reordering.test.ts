// The rewritten parameter sets as a decoder sees them: the same pictures, and none held back.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { joinNalUnits } from '../../../server/media/h264/annexB.ts';
import { H264Normaliser } from '../../../server/media/h264/normaliser.ts';
import { parseSpsOrder } from '../../../server/media/h264/sps.ts';
import { BitWriter } from '../../../shared/protocol/codec/video/bitWriter.ts';
import { addEscapes, removeEscapes } from '../../../shared/protocol/codec/video/escapes.ts';
import { NalType, splitNalUnits } from '../../../shared/protocol/codec/video/nalUnits.ts';
import { loadDemoClip } from '../../../simulator/clip/loadClip.ts';
import { findFfmpeg } from '../../support/media/ffmpeg.ts';

const found = findFfmpeg();
const FRAMES = 100;

/** An access unit as written by a camera that says nothing of the order. */
function withoutVui(accessUnit: Uint8Array): Uint8Array {
  const units = splitNalUnits(accessUnit).map((unit) => {
    const places = unit.type === NalType.Sps ? parseSpsOrder(unit.bytes)?.places : undefined;
    if (places === undefined) return unit;
    const to = new BitWriter();
    to.copy(removeEscapes(unit.bytes), 0, places.vuiFlag);
    to.bit(0);
    return { type: unit.type, bytes: addEscapes(to.finish()) };
  });
  return joinNalUnits(units);
}

async function run(path: string, args: readonly string[], input: Uint8Array): Promise<string> {
  const child = spawn(path, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  child.stdin.end(input);
  const [exitCode] = await once(child, 'close');
  if (exitCode !== 0) throw new Error(`ended with ${String(exitCode)}`);
  return text;
}

const picturesOf = async (path: string, stream: Uint8Array): Promise<string[]> => {
  const quiet = ['-hide_banner', '-loglevel', 'error', '-f', 'h264', '-i', '-'];
  const text = await run(path, [...quiet, '-f', 'framemd5', '-'], stream);
  return text.split('\n').flatMap((line) => (line.startsWith('#') ? [] : [line.split(',').at(-1)?.trim() ?? '']));
};

const heldBack = async (path: string, stream: Uint8Array): Promise<string> => {
  const wanted = ['-show_entries', 'stream=has_b_frames', '-of', 'csv=p=0'];
  return (await run(path, ['-loglevel', 'error', '-f', 'h264', '-i', '-', ...wanted], stream)).trim();
};

describe.skipIf(found === undefined)('a stream whose sets say nothing of the order', () => {
  it('has the same pictures afterwards, and a decoder holds none back', async () => {
    const { frames } = await loadDemoClip('road');
    const camera = frames.slice(0, FRAMES).map(({ bytes }) => withoutVui(bytes));
    const normaliser = new H264Normaliser();
    const sent = camera.map((bytes) => Buffer.concat(normaliser.push(bytes)?.parts ?? []));
    const [before, after] = [Buffer.concat(camera), Buffer.concat(sent)];
    const paths = found ?? { ffmpegPath: '', ffprobePath: '' };
    const pictures = await picturesOf(paths.ffmpegPath, after);
    expect(pictures.filter((each) => each !== '')).toHaveLength(FRAMES);
    expect(pictures).toEqual(await picturesOf(paths.ffmpegPath, before));
    expect(await heldBack(paths.ffprobePath, after)).toBe('0');
  });

  it('is left as it is where B pictures have been seen', async () => {
    const { frames } = await loadDemoClip('cabin');
    const normaliser = new H264Normaliser();
    const sent = frames
      .slice(0, FRAMES)
      .map(({ bytes }) => Buffer.concat(normaliser.push(withoutVui(bytes))?.parts ?? []));
    const reorders = sent.flatMap((bytes) => {
      const sps = splitNalUnits(bytes).find((unit) => unit.type === NalType.Sps);
      return sps === undefined ? [] : [parseSpsOrder(sps.bytes)?.maxReorderFrames];
    });
    expect(reorders).toEqual([0, undefined]);
  });
});
