// Raw bytes to every port that the gateway listens on. It goes on as the same process, answers in time, and holds nothing of it.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createRandom, pick, type Random } from '../../support/fuzz.ts';
import { IS_LONG } from '../../support/runner/long.ts';
import { waitFor } from '../../support/waitFor.ts';
import { deliver, planDelivery } from './deliver.ts';
import { FuzzedTerminal, MEDIA, type Media } from './fuzzedTerminal.ts';
import type { GatewayProcess, Load } from './gatewayProcess.ts';
import {
  type Conversation,
  ftpConversation,
  httpConversation,
  mediaConversation,
  noise,
  signallingConversation,
  tlsConversation,
  webSocketConversation,
} from './inputs.ts';
import { expectedMedia } from './mediaInputs.ts';
import { clientHello, type PortScene, startPortScene } from './scene.ts';

const INPUTS = Number(process.env.FUZZ_RUNS ?? (IS_LONG ? 20_000 : 1_000));
const SEED = Number(process.env.FUZZ_SEED ?? 1);
/** Looked at after each: so many inputs can be meant when the process is gone. */
const BATCH = Math.min(1_000, Math.ceil(INPUTS / 5));
const CONCURRENT = 48;
/** By then an open talk line was met. */
const MAX_INPUTS = Math.max(60_000, 3 * INPUTS);
const MAX_HEALTH_MS = 250;
/** Four times what it takes. */
const MAX_INPUT_PROCESSOR_MS = 5;
/** The first batches fill caches and compile code; what is used then is what later use is compared with. */
const WARM_UP_BATCHES = 3;
const MAX_GROWTH_BYTES = 24 * 1024 * 1024;
/** What Node and SQLite open and close by themselves. */
const DESCRIPTOR_TOLERANCE = 6;

interface Aim {
  readonly port: number;
  readonly says: Conversation;
  /** Any address where it is left out. */
  readonly from?: string;
  readonly isSecure?: boolean;
}

/** Each as likely as another, whatever it aims at. */
type Aims = readonly (readonly Aim[])[];

it.each([
  ['plain', 'off', 0.85],
  ['TLS', 'self-signed', 0.15],
] as const)(
  'a gateway over %s outlives whatever its ports are sent',
  { timeout: 24 * 3_600_000 },
  async (_name, tls, share) => {
    const scene = await startPortScene(tls);
    onTestFinished(() => scene.close());
    const aims = tls === 'off' ? plainAims(scene) : await secureAims(scene);
    const idle = scene.gateway.descriptors();
    const terminals = tls === 'off' ? scene.fuzzed.map((identity) => new FuzzedTerminal(identity, scene)) : [];
    onTestFinished(() => restAll(terminals));
    const batches = Math.max(WARM_UP_BATCHES + 2, Math.ceil((INPUTS * share) / BATCH));
    let usedAfterWarmUp = 0;
    for (const terminal of terminals) terminal.start();
    for (let batch = 0; batch < batches; batch++) {
      await sendBatch(batch, aims, scene.gateway);
      if (batch !== WARM_UP_BATCHES - 1) continue;
      restAll(terminals);
      usedAfterWarmUp = await settledUse(scene.gateway, idle);
      for (const terminal of terminals) terminal.start();
    }
    await expectMediaShown(terminals, aims, scene.gateway);
    restAll(terminals);
    // What is held for a while only, such as the last group of a channel, may still be there at first.
    await waitFor(
      `no more than ${MAX_GROWTH_BYTES} bytes in use beyond those after the first batches`,
      async () => (await settledUse(scene.gateway, idle)) - usedAfterWarmUp,
      (grownBytes) => grownBytes < MAX_GROWTH_BYTES,
      120_000,
    );
  },
);

function restAll(terminals: readonly FuzzedTerminal[]): void {
  for (const terminal of terminals) terminal.stop();
}

/**
 * Without this the fuzz would stand before closed doors, and nobody would know. A short run may not have met a talk line that was
 * open: the fuzz goes on until it has.
 */
async function expectMediaShown(
  terminals: readonly FuzzedTerminal[],
  aims: Aims,
  gateway: GatewayProcess,
): Promise<void> {
  const shownOf = (media: Media): number => terminals.reduce((sum, { shown }) => sum + shown[media], 0);
  for (let run = INPUTS; terminals.length > 0 && MEDIA.some((media) => shownOf(media) === 0); run += CONCURRENT) {
    if (run > MAX_INPUTS || !gateway.isAlive()) throw new Error(`shown: ${MEDIA.map(shownOf).join()}`);
    await Promise.all(Array.from({ length: CONCURRENT }, (_, more) => send(run + more, aims)));
  }
  if (process.env.FUZZ_SHOWS === '1') console.info(MEDIA.map((media) => `${media} ${shownOf(media)}`).join());
}

function plainAims({ secrets, port, signallingPort, ftpPort, mediaPorts, fuzzed }: PortScene): Aims {
  const expected = fuzzed.flatMap(({ number, address }) =>
    mediaPorts.map((mediaPort) => ({ port: mediaPort, says: expectedMedia(number), from: address })),
  );
  return [
    [{ port, says: httpConversation(secrets) }],
    [{ port: ftpPort, says: ftpConversation }],
    ...twice([{ port, says: webSocketConversation(secrets) }]),
    ...twice([{ port: signallingPort, says: signallingConversation(secrets) }]),
    ...twice(expected),
    ...twice(expected),
    ...twice(mediaPorts.map((mediaPort) => ({ port: mediaPort, says: mediaConversation }))),
    ...twice([port, signallingPort, ftpPort, ...mediaPorts].map((each) => ({ port: each, says: noise }))),
  ];
}

async function secureAims({ secrets, port, redirectPort }: PortScene): Promise<Aims> {
  const [http, webSocket] = [httpConversation(secrets), webSocketConversation(secrets)];
  return [
    [{ port, says: tlsConversation(await clientHello()) }],
    [{ port, says: http }],
    ...twice([http, webSocket, noise].map((says) => ({ port, says, isSecure: true }))),
    [http, webSocket, noise].map((says) => ({ port: redirectPort, says })),
  ];
}

function twice<T>(one: T): readonly T[] {
  return [one, one];
}

async function sendBatch(batch: number, aims: Aims, gateway: GatewayProcess): Promise<void> {
  const what = `inputs ${batch * BATCH} to ${(batch + 1) * BATCH - 1} of seed ${SEED}`;
  let next = batch * BATCH;
  const end = next + BATCH;
  await gateway.load();
  const sendOne = async (): Promise<void> => {
    while (next < end && gateway.isAlive()) await send(next++, aims);
  };
  const sent = Promise.all(Array.from({ length: CONCURRENT }, sendOne));
  const answers = askWhile(sent, gateway);
  // Looked at below, when it is known that the gateway is there.
  answers.catch(() => undefined);
  await sent;
  const { longestTurnMs, processorMs } = await gateway.load().catch(() => NO_LOAD);
  if (!gateway.isAlive()) throw new Error(`the gateway ended during ${what}: ${gateway.log()}`);
  expect(await answers, `answers of /healthz during ${what}`).toBeGreaterThan(0);
  expect(longestTurnMs, `milliseconds of one turn of the event loop during ${what}`).toBeLessThan(MAX_HEALTH_MS);
  // What is compiled and cached at first is no part of what an input costs.
  const dear = batch < WARM_UP_BATCHES ? Number.POSITIVE_INFINITY : BATCH * MAX_INPUT_PROCESSOR_MS;
  expect(processorMs, `milliseconds of the processor for ${what}`).toBeLessThan(dear);
  expect(await bestHealthMs(gateway), `milliseconds until /healthz answered after ${what}`).toBeLessThan(MAX_HEALTH_MS);
  if (process.env.FUZZ_SHOWS === '1') console.info(what, Math.round(longestTurnMs), Math.round(processorMs));
}

const NO_LOAD: Load = { processorMs: 0, longestTurnMs: 0 };

/** Asks `/healthz` at this pace while the work is done: what the asking itself takes is no part of what the inputs cost. */
const ASKED_EVERY_MS = 50;

/** Asks again and again while the work is done, and once more. Fails where one answer is not 200. */
async function askWhile(work: Promise<unknown>, gateway: GatewayProcess): Promise<number> {
  let isDone = false;
  const done = work.then(() => {
    isDone = true;
  });
  let answers = 0;
  for (; !isDone && gateway.isAlive(); answers++) {
    await gateway.healthMs();
    await Promise.race([done, delay(ASKED_EVERY_MS)]);
  }
  await done;
  return answers;
}

/** The best of a few: on a busy machine one answer may wait for the processor, which is no fault of the gateway. */
async function bestHealthMs(gateway: GatewayProcess): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 10 && best >= MAX_HEALTH_MS; tries++) best = Math.min(best, await gateway.healthMs());
  return best;
}

function send(run: number, aims: Aims): Promise<void> {
  const random: Random = createRandom(SEED * 1_000_003 + run);
  const aim = pick(pick(aims, random), random);
  const from = aim.from ?? `127.0.${random(4)}.${1 + random(250)}`;
  return deliver(planDelivery(aim.says(random), random), { ...aim, from });
}

/** Bytes in use once all connections are gone again, theirs and ours. */
async function settledUse(gateway: GatewayProcess, idle: number): Promise<number> {
  await waitFor(
    'the descriptors are given back',
    () => gateway.descriptors(),
    (open) => open <= idle + DESCRIPTOR_TOLERANCE,
    120_000,
  );
  return gateway.usedBytes();
}
