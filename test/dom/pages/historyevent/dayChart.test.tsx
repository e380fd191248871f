import { expect, test, vi } from 'vitest';
import { DayChart } from '../../../../pages/innerpage/historyevent/days/DayChart.tsx';
import { PageFrame } from '../../../../shared/ui/mountPage.tsx';
import { planGateway, renderPage } from '../../../support/browser/renderPage.tsx';

// renderPage fails a test in which something is written to the console as an error.
test('is drawn again with other days, and complains of nothing', async () => {
  planGateway();
  const days = ['2026-11-22', '2026-11-23'].map((day) => ({
    day,
    counts: { critical: 1, major: 2, minor: 0, info: 0 },
  }));
  const chart = (shown: number) => <DayChart days={days.slice(0, shown)} onDay={vi.fn()} />;
  const page = await renderPage(chart(1));
  page.rerender(<PageFrame>{chart(2)}</PageFrame>);
  expect(page.container.querySelectorAll('.MuiBarChart-element')).toHaveLength(8);
});
