// How long live sound lasts, and how near it is to its pictures, by what an analyser before the loudspeaker hears.
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { shownPictures } from '../../browser/player/scene.ts';
import { heardBy, isHeard, loudestHertz, soundBeginnings, soundingMs } from '../../support/browser/soundSpy.ts';
import { IS_LONG } from '../../support/runner/long.ts';
import { isSpentSince, processorTime } from '../../support/runner/processorTime.ts';
import { waitFor } from '../../support/waitFor.ts';
import { CHUNK_MS, playTone, setSoundScene, toneChunk } from './liveSoundScene.ts';

const SOUND_MS = IS_LONG ? 60_000 : 4_000;

const { scene, openPage, streamOf } = setSoundScene();

describe('the sound of a live page', () => {
  it('S-9.8: is 8000 Hz sound at its own pitch, and takes as long as it lasts', { timeout: 90_000 }, async () => {
    const page = await openPage();
    const stream = await streamOf(1);
    // The first chunks start the sound's own parts; what is measured comes when they run.
    const stopFirst = playTone(stream, (index) => toneChunk(index, 0.1));
    await waitFor('sound', () => isHeard(page));
    stopFirst();
    await waitFor('silence', async () => !(await isHeard(page)));
    const idleBefore = await processorTime();
    const before = (await heardBy(page)).length;
    const stop = playTone(stream, (index) => (index < SOUND_MS / CHUNK_MS ? toneChunk(index, 0.1) : toneChunk(0, 0)));
    await delay(SOUND_MS / 2);
    expect(await loudestHertz(page)).toBeGreaterThan(990);
    expect(await loudestHertz(page)).toBeLessThan(1_010);
    await waitFor('the end', async () => !(await isHeard(page)));
    stop();
    // On a machine without time to spare there are gaps.
    const leastMs = (await isSpentSince(idleBefore)) ? SOUND_MS * 0.8 : SOUND_MS - 500;
    const heardMs = soundingMs((await heardBy(page)).slice(before));
    expect(heardMs).toBeGreaterThan(leastMs);
    expect(heardMs).toBeLessThan(SOUND_MS + 500);
  });

  it('keeps within 80 ms of its pictures', async () => {
    const page = await openPage();
    const stream = await streamOf(1);
    const idleBefore = await processorTime();
    // A beep of one chunk at the start of each second of media time.
    playTone(stream, (index) => toneChunk(index, index % 25 === 0 ? 0.2 : 0));
    // A terminal sends a chunk when its last sample is in; a picture takes it about as long to encode.
    await delay(CHUNK_MS);
    stream.play(scene.clip().frames);
    const beeps = await waitFor(
      'seven beeps',
      () => soundBeginnings(page),
      (beginnings) => beginnings.length >= 7,
    );
    const seconds = (await shownPictures(page)).filter(({ mediaTimeUs }) => mediaTimeUs % 1_000_000 === 0);
    // The sound of a moment, less the picture of it; positive when the sound is late. At first it is not in step yet.
    const apart = beeps.slice(4).map((began) => {
      const [nearest = 1_000] = seconds.map(({ at }) => began - at).sort((a, b) => Math.abs(a) - Math.abs(b));
      return Math.round(nearest);
    });
    // The middle one: a machine that is busy elsewhere moves single ones.
    const middle = apart.toSorted((a, b) => a - b)[Math.floor(apart.length / 2)] ?? 1_000;
    const limitMs = (await isSpentSince(idleBefore)) ? 200 : 80;
    expect(Math.abs(middle), `apart: ${apart.join(' ')}`).toBeLessThanOrEqual(limitMs);
  });
});
