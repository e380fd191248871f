import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getFenceDevices, sendFenceDevices } from '../../../../shared/api/fences.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import { listenForFences } from '../../../../shared/live/liveReloads.ts';
import type { Fence, TerminalArea, TerminalAreaAct } from '../../../../shared/protocol/api/fences/fences.ts';
import { TERMINAL_AREA_STATES, type TerminalAreaState } from '../../../../shared/protocol/fences/fenceWords.ts';
import { useDeviceChoices } from '../../../../shared/ui/form/deviceChoices.ts';
import { ManyInput } from '../../../../shared/ui/form/ManyInput.tsx';
import { useTerminalTextHint } from '../../../../shared/ui/form/text/useTerminalTextHint.ts';
import { useForm } from '../../../../shared/ui/form/useForm.ts';
import { notify } from '../../../../shared/ui/notifications.tsx';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { DataTable } from '../../../../shared/ui/table/DataTable.tsx';
import { FilterSelect } from '../../../../shared/ui/table/FilterSelect.tsx';
import { localPage } from '../../../../shared/ui/table/localPage.ts';
import { useTable } from '../../../../shared/ui/table/useTable.ts';
import { useAreaStateText } from '../fenceTexts.ts';
import { useTerminalColumns } from './terminalColumns.tsx';
import { terminalList } from './terminalRows.ts';

/** Maximum devices in one call. */
const MAX_DEVICES = 100;
/** Terminals answer within minutes, so no live updates are needed. */
const POLL_MS = 15_000;
const NO_ROWS: readonly TerminalArea[] = [];

/** What terminals have of a fence, and what is sent to them. */
export function TerminalsTab({ fence: { id: fence, name } }: { readonly fence: Pick<Fence, 'id' | 'name'> }) {
  const { t } = useTranslation('FenceSetting');
  const lostOfName = useTerminalTextHint()(name);
  const [failure, setFailure] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const {
    value: rows = NO_ROWS,
    reload,
    failure: loadFailure,
  } = useRecord({
    key: ['fence-devices', fence],
    load: (signal) => getFenceDevices(fence, signal),
    everyMs: POLL_MS,
  });
  const ask = useEffectEvent(reload);
  useEffect(() => listenForFences(() => ask()), []);
  const act = async (kind: TerminalAreaAct, devices: readonly string[]) => {
    setBusy(true);
    const result = await sendFenceDevices({ fence, act: kind, devices: devices.slice(0, MAX_DEVICES) });
    setBusy(false);
    setFailure(result.ok ? undefined : errorText(result));
    if (result.ok) notify('success', t('Commands queued.'));
    reload();
    return result.ok;
  };
  const shownFailure = failure ?? (loadFailure === undefined ? undefined : errorText(loadFailure));
  return (
    <>
      <Typography sx={{ fontSize: 14, color: 'text.secondary', py: 1 }}>
        {t('A terminal that has the geofence alarms by itself, also where there is no network.')}
      </Typography>
      {lostOfName !== undefined && <Alert severity="info">{lostOfName}</Alert>}
      {shownFailure !== undefined && <Alert severity="error">{shownFailure}</Alert>}
      <SendForm isBusy={isBusy} onSend={(devices) => act('put', devices)} />
      <TerminalTable rows={rows} isBusy={isBusy} onAct={act} />
    </>
  );
}

interface SendFormProps {
  readonly isBusy: boolean;
  readonly onSend: (devices: readonly string[]) => Promise<boolean>;
}

function SendForm({ isBusy, onSend }: SendFormProps) {
  const { t } = useTranslation('FenceSetting');
  const choices = useDeviceChoices();
  const form = useForm<{ readonly devices: readonly string[] }>({ initial: { devices: [] }, guarded: false });
  const { devices } = form.values;
  const isTooMany = devices.length > MAX_DEVICES;
  const send = async () => {
    if (await onSend(devices)) form.reset({ devices: [] });
  };
  return (
    <>
      <ManyInput
        placeholder=""
        field={form.field('devices')}
        label={t('Send to devices')}
        hint={t('Select up to {{count}} devices.', { count: MAX_DEVICES })}
        options={choices.devices}
      />
      <Button
        variant="outlined"
        disabled={devices.length === 0 || isTooMany}
        loading={isBusy}
        onClick={() => void send()}
        sx={{ alignSelf: 'start', my: 1 }}
      >
        {t('Send to terminals')}
      </Button>
    </>
  );
}

interface TerminalTableProps {
  readonly rows: readonly TerminalArea[];
  readonly isBusy: boolean;
  readonly onAct: (act: TerminalAreaAct, devices: readonly string[]) => Promise<boolean>;
}

function TerminalTable({ rows, isBusy, onAct }: TerminalTableProps) {
  const { t } = useTranslation('FenceSetting');
  const stateText = useAreaStateText();
  const [state, setState] = useState<TerminalAreaState | ''>('');
  const [selection, setSelection] = useState<readonly (string | number)[]>([]);
  const list = useMemo(() => terminalList(rows), [rows]);
  const table = useTable({
    name: 'fence-terminals',
    load: async (query) => ({ ok: true, value: localPage(list, query) }),
    sorting: { column: 'name', descending: false },
    filters: useMemo(() => ({ state }), [state]),
  });
  const reload = useEffectEvent(() => table.reload());
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are the reason to list them again
  useEffect(() => reload(), [list]);
  const known = selection.map(String).filter((id) => rows.some(({ deviceid }) => deviceid === id));
  const act = async (kind: TerminalAreaAct) => {
    if (await onAct(kind, known)) setSelection([]);
  };
  const buttons: readonly (readonly [TerminalAreaAct, string])[] = [
    ['put', t('Send again')],
    ['ask', t('Read back')],
    ['remove', t('Remove from terminals')],
  ];
  return (
    <DataTable
      table={table}
      label={t('Terminals')}
      columns={useTerminalColumns()}
      rowId={({ deviceid }) => deviceid}
      selection={selection}
      onSelect={setSelection}
      filters={
        <FilterSelect
          label={t('Status')}
          value={state}
          options={TERMINAL_AREA_STATES.map((value) => ({ value, label: stateText(value) }))}
          onChange={setState}
        />
      }
      onClearFilters={() => setState('')}
      toolbar={buttons.map(([kind, label]) => (
        <Button
          key={kind}
          size="small"
          color={kind === 'remove' ? 'error' : 'primary'}
          disabled={known.length === 0 || known.length > MAX_DEVICES || isBusy}
          onClick={() => void act(kind)}
        >
          {label}
        </Button>
      ))}
      emptyHint={t('No terminal has this geofence.')}
      hasTimes
    />
  );
}
