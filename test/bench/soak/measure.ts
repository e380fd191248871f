// Memory of the browser and of the gateway while eight channels play, minute by minute.
import type { CDPSession, Page } from 'playwright-core';
import { type Clip, loadDemoClip } from '../../../simulator/clip/loadClip.ts';
import { SimulatedTerminal } from '../../../simulator/terminal.ts';
import type { VehicleProfile } from '../../../simulator/vehicleProfile.ts';
import { launchChromium } from '../../support/browser/chromium.ts';
import { addWatchedVehicle } from '../../support/browser/watcher.ts';
import { startProduct } from '../../support/gateway/product.ts';
import { treeMemory } from '../../support/runner/processTree.ts';
import { waitFor } from '../../support/waitFor.ts';
import { browserProcessId } from '../browserProcess.ts';
import { heapMib } from '../player/pageProbe.ts';
import { median } from '../statistics.ts';

/** The figures of one minute: medians, in MiB. */
export interface SoakMinute {
  readonly minute: number;
  /** Memory of all the browser's processes, without what they share with others. */
  readonly browserMib: number;
  /** Heap of the page's own thread, after a collection. */
  readonly heapMib: number;
  readonly gatewayMib: number;
  /** Pictures of all channels that were shown in the minute. */
  readonly pictures: number;
}

const BUS: VehicleProfile = {
  deviceId: 'SOAK8',
  name: 'Bus 8',
  number: '13800000008',
  edition: '2019',
  plate: 'A-0008',
  channels: 8,
  lapShare: 0,
};
const SAMPLES_A_MINUTE = 6;
const SAMPLE_MS = 60_000 / SAMPLES_A_MINUTE;

/** Plays and records eight channels of a simulated terminal in the built product for this many minutes. */
export async function soak(minutes: number, onMinute: (minute: SoakMinute) => void): Promise<SoakMinute[]> {
  const clip = await loadDemoClip('road');
  let link = '';
  const product = await startProduct(
    async (stores) => {
      link = await addWatchedVehicle(stores, BUS);
    },
    { RECORDING: 'always' },
  );
  const terminal = startTerminal(product.jt808Port, clip);
  const browser = await launchChromium(['--autoplay-policy=no-user-gesture-required']);
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.goto(`${product.address}/live/${link.replace('/', '@255/')}?trace=1`);
    const probe: Probe = {
      page,
      session: await page.context().newCDPSession(page),
      browserId: await browserProcessId(browser),
      gatewayId: product.processId(),
    };
    await waitFor('pictures', async () => (await takePictures(page)) > 0);
    const taken: SoakMinute[] = [];
    for (let minute = 1; minute <= minutes; minute++) {
      taken.push(await measureMinute(minute, probe));
      onMinute(taken.at(-1) as SoakMinute);
    }
    return taken;
  } finally {
    await browser.close();
    terminal.stop();
    await product.stop();
  }
}

interface Probe {
  readonly page: Page;
  readonly session: CDPSession;
  readonly browserId: number;
  readonly gatewayId: number;
}

async function measureMinute(minute: number, { page, session, browserId, gatewayId }: Probe): Promise<SoakMinute> {
  const samples: { browser: number; heap: number; gateway: number }[] = [];
  const startedMs = performance.now();
  for (let sample = 1; sample <= SAMPLES_A_MINUTE; sample++) {
    // Readings are a fixed time apart, counted from the minute's beginning: what is measured is time passing.
    await page.waitForTimeout(startedMs + sample * SAMPLE_MS - performance.now());
    const [browser, gateway] = await Promise.all([treeMemory(browserId), treeMemory(gatewayId)]);
    samples.push({
      browser: browser.anonymousMib,
      heap: await heapMib(session),
      gateway: gateway.anonymousMib,
    });
  }
  return {
    minute,
    browserMib: median(samples.map(({ browser }) => browser)),
    heapMib: median(samples.map(({ heap }) => heap)),
    gatewayMib: median(samples.map(({ gateway }) => gateway)),
    pictures: await takePictures(page),
  };
}

/** How many pictures the page has shown since it was asked last. */
function takePictures(page: Page): Promise<number> {
  return page.evaluate(() => globalThis.__fleetglassTrace?.splice(0).length ?? 0);
}

function startTerminal(port: number, clip: Clip): SimulatedTerminal {
  const terminal = new SimulatedTerminal({ profile: BUS, gateway: { host: '127.0.0.1', port }, clip: () => clip });
  terminal.start();
  return terminal;
}
