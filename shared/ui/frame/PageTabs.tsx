import Tab from '@mui/material/Tab';
import { TabRow } from '../TabRow.tsx';

export interface PageTabsProps<Name extends string> {
  readonly tab: Name;
  readonly titles: readonly (readonly [name: Name, title: string])[];
  /** What the tabs are of: the page's name. */
  readonly label: string;
  readonly onChange: (tab: Name) => void;
}

/** The tabs of a page. What they show has `pageTabPanel` for its element. */
export function PageTabs<Name extends string>({ tab, titles, label, onChange }: PageTabsProps<Name>) {
  return (
    <TabRow
      value={tab}
      onChange={(_, name: Name) => onChange(name)}
      aria-label={label}
      sx={{ minHeight: 40, borderBottom: 1, borderColor: 'divider', flexShrink: 0 }}
    >
      {titles.map(([name, title]) => (
        <Tab key={name} value={name} label={title} id={`tab-${name}`} aria-controls={PANEL_ID} sx={TAB} />
      ))}
    </TabRow>
  );
}

const PANEL_ID = 'tab-content';
const TAB = { minHeight: 40, textTransform: 'none' } as const;

/** For the element that a page shows the chosen tab in. */
export function pageTabPanel(tab: string) {
  return { id: PANEL_ID, role: 'tabpanel', 'aria-labelledby': `tab-${tab}` } as const;
}
