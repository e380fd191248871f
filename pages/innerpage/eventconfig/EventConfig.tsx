import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { loadRuleGroups } from '../../../shared/api/eventConfig.ts';
import type { RuleGroup } from '../../../shared/protocol/api/eventConfig.ts';
import { lazyPart } from '../../../shared/ui/chunks.tsx';
import { LazyContent } from '../../../shared/ui/frame/LazyContent.tsx';
import { PageTabs, pageTabPanel } from '../../../shared/ui/frame/PageTabs.tsx';
import { useRecord } from '../../../shared/ui/records/useRecord.ts';
import { TableFailure } from '../../../shared/ui/table/TableNotices.tsx';
import { CONFIG_TABS, type ConfigTab, type ConfigView, isSelected, queryOfView } from './place/configAddress.ts';
import { PlacePicker } from './place/PlacePicker.tsx';
import { useConfigView } from './place/useConfigView.ts';

const RulesTab = lazyPart('RulesTab', async () => (await import('./rules/RulesTab.tsx')).RulesTab);
const LimitsTab = lazyPart('LimitsTab', async () => (await import('./limits/LimitsTab.tsx')).LimitsTab);

/** What of events is configured, and where: for the installation, a device group, or a device with its own limits. */
export function EventConfig() {
  const [view, show] = useConfigView();
  const { place, tab } = view;
  const groups = useRecord({ key: ['rule-groups'], load: loadRuleGroups, changedBy: ['group'] });
  return (
    <>
      <PlacePicker
        place={place}
        groups={groups.value}
        onChange={(next) => show({ place: next, tab: next.scope === 'device' ? tab : 'rules' })}
      />
      {groups.failure !== undefined && (
        <TableFailure failure={groups.failure} hasRows={groups.value !== undefined} onRetry={groups.reload} />
      )}
      {place.scope === 'device' && <ConfigTabs tab={tab} onChange={(next) => show({ place, tab: next })} />}
      <Box {...panelOf(view)} sx={PANEL}>
        <LazyContent>
          <PlaceContent key={queryOfView(view)} view={view} groups={groups.value ?? []} />
        </LazyContent>
      </Box>
    </>
  );
}

function PlaceContent({ view, groups }: { readonly view: ConfigView; readonly groups: readonly RuleGroup[] }) {
  const { t } = useTranslation('EventConfig');
  const { place, tab } = view;
  if (!isSelected(place)) {
    return (
      <Typography sx={{ color: 'text.secondary', textAlign: 'center', py: 6 }}>
        {place.scope === 'group' ? t('Select a device group.') : t('Select a device.')}
      </Typography>
    );
  }
  if (tab === 'limits' && place.deviceid !== undefined) return <LimitsTab deviceid={place.deviceid} />;
  return <RulesTab place={place} groups={groups} />;
}

interface ConfigTabsProps {
  readonly tab: ConfigTab;
  readonly onChange: (tab: ConfigTab) => void;
}

function ConfigTabs({ tab, onChange }: ConfigTabsProps) {
  const { t } = useTranslation(['EventConfig', 'Menu']);
  const titles: Record<ConfigTab, string> = { rules: t('Rules'), limits: t('Device limits') };
  return (
    <PageTabs
      tab={tab}
      titles={CONFIG_TABS.map((name) => [name, titles[name]])}
      label={t('Event Config', { ns: 'Menu' })}
      onChange={onChange}
    />
  );
}

/** Only devices have tabs. */
function panelOf({ place, tab }: ConfigView) {
  return place.scope === 'device' ? pageTabPanel(tab) : {};
}

const PANEL = { display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0, minWidth: 0 } as const;
