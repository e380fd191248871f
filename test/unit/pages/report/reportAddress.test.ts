import { describe, expect, it } from 'vitest';
import { FIRST_REPORT_VIEW, queryOfView, viewOfQuery } from '../../../../pages/innerpage/report/reportAddress.ts';

describe("the report page's address", () => {
  it.each([
    ['', FIRST_REPORT_VIEW],
    ['tab=schedules', { tab: 'schedules', job: undefined }],
    ['job=12', { tab: 'reports', job: 12 }],
  ] as const)('%s says what is shown, and comes back', (query, view) => {
    expect(viewOfQuery(query)).toEqual(view);
    expect(queryOfView(view)).toBe(query);
  });

  it.each(['job=0', 'job=-1', 'job=1e3', 'tab=other', 'job=12345678901234567'])('ignores %s', (query) => {
    expect(viewOfQuery(query)).toEqual(FIRST_REPORT_VIEW);
  });
});
