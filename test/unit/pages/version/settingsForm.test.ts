import { describe, expect, it } from 'vitest';
import {
  checkSettings,
  draftOfSettings,
  type SettingsDraft,
  valuesOfDraft,
} from '../../../../pages/innerpage/version/settings/settingsForm.ts';
import { queryOfTab, tabOfQuery, VERSION_TABS } from '../../../../pages/innerpage/version/versionAddress.ts';

const UNSET = { webTitle: null, liveLayout: null, playbackLayout: null, maxLicense: null, licenseExpires: null };
const TEXTS = { badCount: 'count', badDay: 'day' };
const problems = (draft: Partial<SettingsDraft>) => checkSettings({ ...UNSET, ...draft }, TEXTS);

describe('the form of the settings', () => {
  it('keeps what is set and what is not, and shows no limit as nothing', () => {
    for (const maxLicense of [null, 0, 25]) {
      const values = { ...UNSET, webTitle: '', maxLicense, licenseExpires: '' };
      expect(valuesOfDraft(draftOfSettings(values))).toEqual(values);
    }
    expect(draftOfSettings({ ...UNSET, maxLicense: 0 }).maxLicense).toBe('');
  });

  it('takes whole numbers and days of the calendar', () => {
    for (const maxLicense of ['', '0', '25', '1000000000']) expect(problems({ maxLicense })).toEqual({});
    for (const maxLicense of ['-1', '1.5', 'ten', '1000000001'])
      expect(problems({ maxLicense })).toEqual({ maxLicense: 'count' });
    for (const licenseExpires of ['', '2028-02-29']) expect(problems({ licenseExpires })).toEqual({});
    for (const licenseExpires of ['2027-02-29', 'soon'])
      expect(problems({ licenseExpires })).toEqual({ licenseExpires: 'day' });
  });
});

describe("the page's address", () => {
  it('names the tab, and nothing for the first', () => {
    for (const tab of VERSION_TABS) expect(tabOfQuery(queryOfTab(tab))).toBe(tab);
    expect(queryOfTab(VERSION_TABS[0])).toBe('');
    expect(tabOfQuery('?tab=nothing')).toBe(VERSION_TABS[0]);
  });
});
