import { beforeAll, test } from 'vitest';
import { eventRow } from '../../support/eventRow.ts';
import { newPage, openShell, type Site, sharedSite } from '../../support/gateway/site.ts';
import { wallMs } from '../../../shared/protocol/time.ts';

let site: Site;
beforeAll(async () => {
  site = await sharedSite();
});
const now = Date.now();
const TYPES = ['speeding', 'emergency', 'fatigue', 'video-loss', 'harsh-braking', 'storage-fault'];
const SEV = ['critical', 'major', 'minor', 'info'] as const;
const ST = ['new', 'acknowledged', 'in-progress', 'closed', 'false-alarm'] as const;
const rows = Array.from({ length: 60 }, (_, at) =>
  eventRow({
    id: 1000 - at,
    type: TYPES[at % 6] ?? '',
    severity: SEV[at % 4] ?? 'info',
    status: ST[at % 5] ?? 'new',
    deviceid: `BUS${at % 7}`,
    deviceName: `Lake line ${at % 7}`,
    beginAtMs: wallMs(now - at * 3_600_000),
    endAtMs: wallMs(at === 0 ? 0 : now - at * 3_600_000 + 125_000 * at),
    unit: at % 6 === 3 ? 2 : 0,
    media: at % 4,
    count: (at % 5) + 1,
    assignee: at % 3 === 0 ? 'mei' : '',
    lat: at % 9 === 0 ? null : 25 + Math.sin(at) / 10,
    lng: 121.5 + Math.cos(at * 2) / 10,
  }),
);
const days = Array.from({ length: 6 }, (_, at) => ({
  fromMs: now - (now % 86_400_000) - at * 86_400_000,
  counts: { critical: at, major: 3 + at, minor: 9 - at, info: 4 },
}));

test('looks', async () => {
  for (const [locale, scheme, width] of [
    ['en-US', 'light', 1440],
    ['zh-TW', 'dark', 1440],
    ['ja-JP', 'light', 360],
    ['en-US', 'dark', 360],
    ['en-US', 'light', 800],
  ] as const) {
    const page = await newPage(site, { user: 'chief', locale, colorScheme: scheme, viewport: { width, height: width < 500 ? 740 : 900 }, allowed: [{ url: /.*/, status: 404 }] });
    const answer = (data: unknown) => ({ json: { error: false, data } });
    await page.route('**/api/event/events?**', (route) =>
      route.fulfill(answer({ rows, total: 1234, hasMoreThanTotal: false, next: null, previous: null })),
    );
    await page.route('**/api/event/days?**', (route) => route.fulfill(answer(days)));
    await page.route('**/api/event/filters', (route) =>
      route.fulfill(answer([{ id: 1, name: 'Emergencies of the month', query: { period: '30d' } }, { id: 2, name: '夜間超速', query: {} }])),
    );
    await page.route('**/api/event/assignees?**', (route) => route.fulfill(answer([])));
    await page.route(/api\/event\/events\/\d+$/, (route) => route.fulfill(answer({ event: rows[3], steps: [], endLat: null, endLng: null, endSpeedKmh: 0, endHeading: 0, alarmMark: '' })));
    await page.route(/api\/event\/events\/\d+\/track/, (route) => route.fulfill(answer([])));
    const shot = (name: string) => page.screenshot({ path: `/tmp/shots-history/${name}-${locale}-${scheme}-${width}.png` });
    await page.goto('/historyevent?severities=critical,major');
    const frame = page.frameLocator('iframe');
    await frame.locator('[role="row"][data-id]').first().waitFor();
    await page.waitForTimeout(800);
    await shot('table');
    if (width > 500) {
      await frame.locator('[role="row"][data-id]').nth(3).click({ position: { x: 300, y: 10 } });
      await page.waitForTimeout(1500);
      await shot('detail');
      await page.goBack();
    }
    await frame.getByRole('button', { name: /More filters|更多|その他/ }).click();
    await page.waitForTimeout(500);
    await shot('filters');
    await frame.locator('button[value="days"]').click();
    await page.waitForTimeout(1500);
    await shot('days');
    await frame.locator('button[value="map"]').click();
    await frame.locator('[data-map="ready"]').waitFor();
    await page.waitForTimeout(2000);
    await shot('map');
    if (width > 500) {
      await frame.locator('button[aria-haspopup="dialog"]').first().click();
      await page.waitForTimeout(500);
      await shot('saved');
    }
    console.log(page.url());
  }
});
