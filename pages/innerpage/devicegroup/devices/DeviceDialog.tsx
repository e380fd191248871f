import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addDevice, changeDevice } from '../../../../shared/api/devices/deviceGroup.ts';
import type { GroupTree } from '../../../../shared/protocol/api/deviceGroups.ts';
import type { RecordingPolicy } from '../../../../shared/protocol/api/deviceRecording.ts';
import type { DeviceDetail } from '../../../../shared/protocol/api/devices.ts';
import { FormDialog } from '../../../../shared/ui/form/FormDialog.tsx';
import type { Problems } from '../../../../shared/ui/form/formState.ts';
import { fieldText } from '../../../../shared/ui/form/text/fieldText.ts';
import { type Form, useForm } from '../../../../shared/ui/form/useForm.ts';
import { TabRow } from '../../../../shared/ui/TabRow.tsx';
import { ChannelsTab } from './ChannelsTab.tsx';
import { ConnectionTab } from './ConnectionTab.tsx';
import { DeviceConflict } from './DeviceConflict.tsx';
import {
  blankDevice,
  DEVICE_TABS,
  type DeviceTab,
  type DeviceValues,
  deviceFaults,
  fieldsOf,
  tabOf,
  valuesOf,
  wordedFault,
} from './deviceForm.ts';
import { GeneralTab } from './GeneralTab.tsx';
import { RecordingTab } from './RecordingTab.tsx';

export interface DeviceDialogProps {
  readonly tree: GroupTree;
  /** Undefined for a new device. */
  readonly device: DeviceDetail | undefined;
  /** What it inherits where it says nothing of its recording. */
  readonly inherited: RecordingPolicy;
  /** Group of a new device. */
  readonly group: number | null;
  readonly firstTab?: DeviceTab;
  readonly onDone: (device: DeviceDetail) => void;
  readonly onClose: () => void;
}

export function DeviceDialog(props: DeviceDialogProps) {
  const { tree, device, inherited, group, firstTab = 'general', onDone, onClose } = props;
  const { t } = useTranslation('DeviceGroup');
  const [version, setVersion] = useState(device?.version ?? 0);
  const [tab, setTab] = useState<DeviceTab>(firstTab);
  const isNew = device === undefined;
  const form = useForm<DeviceValues>({
    initial: isNew ? blankDevice(group) : valuesOf(device),
    check: (values) => problemsOf(values, isNew),
  });
  const wrong = problemTabs(form);
  useShowProblem(form.stops, wrong, setTab);
  const submit = async () => {
    const saved = await form.submit((values) => {
      const fields = fieldsOf(values);
      const { deviceid, recording } = values;
      return isNew
        ? addDevice({ ...fields, deviceid, recording })
        : changeDevice(device.deviceid, { ...fields, recording, version });
    });
    if (saved !== undefined) onDone(saved);
  };
  const title = isNew ? t('Add device') : t('Device {{name}}', { name: device.name });
  return (
    <FormDialog title={title} form={form} maxWidth="md" onSubmit={() => void submit()} onClose={onClose}>
      <DeviceTabs tab={tab} onChange={setTab} wrong={wrong} isNew={isNew} />
      <Panel name="general" tab={tab}>
        <GeneralTab form={form} tree={tree} isNew={isNew} identity={device?.identity ?? null} />
      </Panel>
      <Panel name="channels" tab={tab}>
        <ChannelsTab form={form} />
      </Panel>
      <Panel name="recording" tab={tab}>
        <RecordingTab form={form} inherited={inherited} withheld={device?.withheldChannels} />
      </Panel>
      {device !== undefined && (
        <Panel name="connection" tab={tab}>
          <ConnectionTab device={device} />
        </Panel>
      )}
      <DeviceConflict form={form} tree={tree} onVersion={setVersion} />
    </FormDialog>
  );
}

function problemsOf(values: DeviceValues, isNew: boolean): Problems<DeviceValues> {
  const faults = Object.entries(deviceFaults(values, isNew));
  return Object.fromEntries(faults.map(([name, fault]) => [name, fieldText(wordedFault(fault))]));
}

function problemTabs(form: Form<DeviceValues>): readonly DeviceTab[] {
  const names = Object.keys(form.values) as (keyof DeviceValues)[];
  return names.filter((name) => form.field(name).problem !== undefined).map(tabOf);
}

/** Saving stopped at a field: the tab that has one is shown, so that the field can be seen. */
function useShowProblem(stops: number, wrong: readonly DeviceTab[], show: (tab: DeviceTab) => void): void {
  const [seen, setSeen] = useState(stops);
  const [first] = wrong;
  useEffect(() => {
    if (stops === seen || first === undefined) return;
    setSeen(stops);
    show(first);
  }, [stops, seen, first, show]);
}

interface DeviceTabsProps {
  readonly tab: DeviceTab;
  readonly onChange: (tab: DeviceTab) => void;
  readonly wrong: readonly DeviceTab[];
  readonly isNew: boolean;
}

function DeviceTabs({ tab, onChange, wrong, isNew }: DeviceTabsProps) {
  const { t } = useTranslation('DeviceGroup');
  const labels = { general: t('General'), channels: t('Channels'), recording: t('Recording') };
  const all = { ...labels, connection: t('Connection') };
  const shown = DEVICE_TABS.filter((name) => !isNew || name !== 'connection');
  return (
    <TabRow value={tab} onChange={(_, next: DeviceTab) => onChange(next)}>
      {shown.map((name) => (
        <Tab
          key={name}
          value={name}
          id={`device-tab-${name}`}
          aria-controls={`device-panel-${name}`}
          label={wrong.includes(name) ? t('{{tab}} (check)', { tab: all[name] }) : all[name]}
          sx={wrong.includes(name) ? { color: 'error.main' } : {}}
        />
      ))}
    </TabRow>
  );
}

/** All stay mounted: what is typed in one is not lost on the way to another. */
function Panel({
  name,
  tab,
  children,
}: {
  readonly name: DeviceTab;
  readonly tab: DeviceTab;
  readonly children: ReactNode;
}) {
  return (
    <Box
      role="tabpanel"
      id={`device-panel-${name}`}
      aria-labelledby={`device-tab-${name}`}
      hidden={tab !== name}
      sx={tab === name ? PANEL : {}}
    >
      {children}
    </Box>
  );
}

const PANEL = {
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr)',
  gap: 2,
  minHeight: { sm: 380 },
  alignContent: 'start',
} as const;
