// The pages of vehicles and where they were.
import type { Page } from 'playwright-core';
import { FENCES_PATH } from '../../../../shared/protocol/api/fences/fences.ts';
import { FIRMWARE_IMAGES_PATH } from '../../../../shared/protocol/api/firmware/images.ts';
import { FIRMWARE_TASKS_PATH } from '../../../../shared/protocol/api/firmware/tasks.ts';
import { NETFLOW_DEVICES_PATH, SIM_PLANS_PATH } from '../../../../shared/protocol/api/netflow/netflow.ts';
import { REPORT_JOBS_PATH, REPORT_KINDS_PATH } from '../../../../shared/protocol/api/reports/reports.ts';
import { SYNC_ITEMS_PATH, SYNC_RULES_PATH } from '../../../../shared/protocol/api/sync/sync.ts';
import { loadDemoClip } from '../../../../simulator/clip/loadClip.ts';
import { lookAtFirst, lookOnceAt, NARROW_PX } from '../../../support/browser/looks.ts';
import { answerFirmware } from '../../../support/firmware/firmwareAnswers.ts';
import { edit } from '../fences/fenceTools.ts';
import { startVehicle } from '../tracks/simulatedVehicle.ts';
import { BUS, FENCE, GPS_PLAYBACK, REPORT, spanOfDrive } from '../tracks/trackScene.ts';
import { DATASYNC, FIRMWARE, NETFLOW } from '../upkeep/upkeepScene.ts';
import { type EveryPageScene, TRAM } from './everyPageScene.ts';
import { goTo, lookAtDialog, type PageRow, ROW } from './pageRow.ts';

/** What stands there when a view of the dashboard is whole. */
const SHOWN_BY = {
  map: '[data-map="ready"]',
  figures: '[role="progressbar"][aria-valuenow]',
  wall: 'button:visible',
} as const;

export const DASHBOARD: PageRow = {
  name: 'Dashboard',
  path: '/innerpage/dashboard.html',
  calls: [],
  fill: async (scene) => startVehicle(scene, TRAM, { clip: await loadDemoClip('road') }),
  ready: '[data-card="moving"]',
  hasPadding: false,
  visit: async (page) => {
    await page.locator(`[data-device="${TRAM.deviceId}"]`).click();
    await page.locator('[data-channel-state="live"]').nth(1).waitFor();
    for (const [tab, shown] of Object.entries(SHOWN_BY)) {
      await page.locator(`#tab-${tab}`).click();
      await page.locator(`#dashboard-view ${shown}`).first().waitFor();
      await (tab === 'map' ? lookAtFirst : lookOnceAt)(page, tab);
    }
    // A computer's window has the list beside each of them.
    await page.setViewportSize({ width: NARROW_PX, height: 740 });
    await page.locator('#tab-list').click();
    await page.locator('#dashboard-view [role="listbox"]').waitFor();
    await lookOnceAt(page, 'list');
  },
};

/** The whole drive, with the clock at its start. */
function queryOfDrive(scene: EveryPageScene): string {
  const { fromMs, toMs } = spanOfDrive(scene);
  return `?device=${BUS.deviceId}&from=${fromMs}&to=${toMs}&at=${scene.startMs}`;
}

export const GPS: PageRow = {
  id: 'S-2.4.3',
  name: 'GPS Playback',
  path: GPS_PLAYBACK,
  calls: [],
  fill: (scene) => scene.drive(),
  query: queryOfDrive,
  ready: '[data-map=ready][data-lines="1"]',
  visit: async (page) => {
    await page.locator('[data-metric=speed]').waitFor();
    for (const [tab, shown] of [
      ['trips', '[data-moment]'],
      ['points', '[data-point]'],
    ] as const) {
      await page.locator(`#tab-${tab}`).click();
      await page.locator(shown).first().waitFor();
      await (tab === 'trips' ? lookAtFirst : lookOnceAt)(page, tab);
    }
  },
};

export const REPORTS: PageRow = {
  id: 'S-2.4.6',
  name: 'Report',
  path: REPORT,
  calls: [REPORT_KINDS_PATH, REPORT_JOBS_PATH],
  fill: (scene) => scene.doneReport(),
  ready: ROW,
  visit: async (page, scene) => {
    await lookAtFirst(page, 'the list');
    await goTo(page, `${REPORT}?tab=schedules`, '[role=grid]');
    await lookOnceAt(page, 'the schedules');
    await goTo(page, `${REPORT}?job=${await scene.doneReport()}`);
    await lookOnceAt(page, 'the result');
  },
};

/** The button of a toolbar that adds one. */
const ADD_FIRMWARE = '#tab-content .MuiButton-contained';

/** The calls are answered by the test: a fleet takes weeks to come to all of these states. */
export const FIRMWARE_ROW: PageRow = {
  id: 'S-2.4.7',
  name: 'Device Firmware',
  path: FIRMWARE,
  calls: [FIRMWARE_IMAGES_PATH, FIRMWARE_TASKS_PATH],
  prepare: answerFirmware,
  ready: ROW,
  visit: async (page) => {
    for (const tab of ['', '?tab=images', '?tab=models']) {
      await goTo(page, FIRMWARE + tab);
      await (tab === '' ? lookAtFirst : lookOnceAt)(page, `the list of ${tab}`);
      await page.locator(ADD_FIRMWARE).first().click();
      await lookAtDialog(page, `the form of ${tab}`);
    }
    await goTo(page, `${FIRMWARE}?tab=versions`);
    await page.locator('.MuiChartsSurface-root').waitFor();
    await lookOnceAt(page, 'the versions');
    for (const query of ['?tab=versions&model=MDVR-8CH&version=V2.4', '?task=8', '?task=9', '?task=7']) {
      await goTo(page, FIRMWARE + query);
      await lookOnceAt(page, query);
    }
    await page.locator('main .MuiButton-contained').first().click();
    await lookAtDialog(page, 'the question before an act');
    await page.locator(`${ROW} button`).first().click();
    await lookAtDialog(page, 'the log');
  },
};

/** A row, the calendar's table, or the chart. */
const READY = `[role=tabpanel] :is(${ROW}, table, .MuiChartsSurface-root):visible`;
const ADD = '[role=tabpanel] .MuiButton-contained';

async function lookAtTabs(page: Page): Promise<void> {
  for (const [at, tab] of (await page.getByRole('tab').all()).entries()) {
    await tab.click();
    await page.locator(READY).first().waitFor();
    await (at === 0 ? lookAtFirst : lookOnceAt)(page, (await tab.innerText()).trim());
  }
}

export const DATASYNC_ROW: PageRow = {
  id: 'S-2.4.8',
  name: 'Datasync',
  path: DATASYNC,
  calls: [SYNC_ITEMS_PATH, SYNC_RULES_PATH],
  ready: READY,
  visit: async (page) => {
    await lookAtTabs(page);
    for (const query of ['', '?tab=rules']) {
      await goTo(page, DATASYNC + query);
      await page.locator(ADD).click();
      await lookAtDialog(page, `the form of ${query}`);
    }
  },
};

export const NETFLOW_ROW: PageRow = {
  id: 'S-2.4.9',
  name: 'Device Netflow',
  path: NETFLOW,
  calls: [NETFLOW_DEVICES_PATH, SIM_PLANS_PATH],
  ready: READY,
  visit: async (page) => {
    await lookAtTabs(page);
    await goTo(page, NETFLOW);
    // The bus alone has a SIM and a plan.
    const bus = page.locator(ROW).filter({ hasText: BUS.name });
    await bus.getByRole('button').first().click();
    await lookAtDialog(page, 'the hours');
    for (const [at, what] of ['the SIM', 'the lift'].entries()) {
      await bus.locator('button[aria-haspopup=menu]').click();
      await page.getByRole('menuitem').nth(at).click();
      await lookAtDialog(page, what);
    }
    await goTo(page, `${NETFLOW}?tab=plans`);
    await page.locator(ADD).click();
    await lookAtDialog(page, 'the plan');
  },
};

export const FENCE_ROW: PageRow = {
  id: 'S-2.4.15',
  name: 'Fence',
  path: FENCE,
  calls: [FENCES_PATH],
  ready: ROW,
  visit: async (page) => {
    await lookAtFirst(page, 'the list');
    await edit(page, 'Depot').click();
    await page.locator('input[name=name]').waitFor();
    await lookOnceAt(page, 'the form');
  },
};
