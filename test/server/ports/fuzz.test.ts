// Raw bytes to every port that the gateway listens on. It goes on as the same process, answers in time, and holds nothing of it.
import { expect, it, onTestFinished } from 'vitest';
import { createRandom, type Random } from '../../support/fuzz.ts';
import { waitFor } from '../../support/waitFor.ts';
import { deliver, planDelivery } from './deliver.ts';
import type { GatewayProcess } from './gatewayProcess.ts';
import {
  type Conversation,
  httpConversation,
  mediaConversation,
  noise,
  signallingConversation,
  tlsConversation,
  webSocketConversation,
} from './inputs.ts';
import { clientHello, type PortScene, startPortScene } from './scene.ts';

const INPUTS = Number(process.env.FUZZ_RUNS ?? 20_000);
const SEED = Number(process.env.FUZZ_SEED ?? 1);
/** Looked at after each: so many inputs can be meant when the process is gone. */
const BATCH = 1_000;
const CONCURRENT = 48;
const MAX_HEALTH_MS = 250;
/** The first batches fill caches and compile code; what is used then is what later use is compared with. */
const WARM_UP_BATCHES = 3;
const MAX_GROWTH_BYTES = 24 * 1024 * 1024;
/** What Node and SQLite open and close by themselves. */
const DESCRIPTOR_TOLERANCE = 6;

interface Aim {
  readonly port: number;
  readonly says: Conversation;
}

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
    const batches = Math.max(WARM_UP_BATCHES + 2, Math.ceil((INPUTS * share) / BATCH));
    let usedAfterWarmUp = 0;
    for (let batch = 0; batch < batches; batch++) {
      await sendBatch(batch, aims, scene.gateway);
      if (batch === WARM_UP_BATCHES - 1) usedAfterWarmUp = await settledUse(scene.gateway, idle);
    }
    const used = await settledUse(scene.gateway, idle);
    expect(used - usedAfterWarmUp, 'bytes in use').toBeLessThan(MAX_GROWTH_BYTES);
  },
);

function plainAims({ secrets, port, signallingPort, mediaPorts }: PortScene): Aim[] {
  const signalling = signallingConversation(secrets);
  return [
    { port, says: httpConversation(secrets) },
    { port, says: webSocketConversation(secrets) },
    { port, says: webSocketConversation(secrets) },
    { port: signallingPort, says: signalling },
    { port: signallingPort, says: signalling },
    ...mediaPorts.map((mediaPort) => ({ port: mediaPort, says: mediaConversation })),
    ...[port, signallingPort, ...mediaPorts].map((each) => ({ port: each, says: noise })),
  ];
}

async function secureAims({ secrets, port, redirectPort }: PortScene): Promise<Aim[]> {
  return [
    { port, says: tlsConversation(await clientHello()) },
    { port, says: httpConversation(secrets) },
    { port: redirectPort, says: httpConversation(secrets) },
    { port: redirectPort, says: webSocketConversation(secrets) },
    { port: redirectPort, says: noise },
  ];
}

async function sendBatch(batch: number, aims: readonly Aim[], gateway: GatewayProcess): Promise<void> {
  const what = `inputs ${batch * BATCH} to ${(batch + 1) * BATCH - 1} of seed ${SEED}`;
  let next = batch * BATCH;
  const end = next + BATCH;
  const sendOne = async (): Promise<void> => {
    while (next < end && gateway.isAlive()) await send(next++, aims);
  };
  await Promise.all(Array.from({ length: CONCURRENT }, sendOne));
  if (!gateway.isAlive()) throw new Error(`the gateway ended during ${what}: ${gateway.log()}`);
  expect(await bestHealthMs(gateway), `milliseconds until /healthz answered after ${what}`).toBeLessThan(MAX_HEALTH_MS);
}

function send(run: number, aims: readonly Aim[]): Promise<void> {
  const random: Random = createRandom(SEED * 1_000_003 + run);
  const aim = aims[random(aims.length)];
  if (aim === undefined) throw new Error('there is no port to send to');
  const from = `127.0.${random(4)}.${1 + random(250)}`;
  return deliver(planDelivery(aim.says(random), random), { port: aim.port, from });
}

/** The best of a few: on a busy machine one answer may wait for the processor, which is no fault of the gateway. */
async function bestHealthMs(gateway: GatewayProcess): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 10 && best >= MAX_HEALTH_MS; tries++) best = Math.min(best, await gateway.healthMs());
  return best;
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
