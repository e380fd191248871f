import Box from '@mui/material/Box';
import FormControl from '@mui/material/FormControl';
import InputLabel from '@mui/material/InputLabel';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getMemberGroups, putOwnMemberGroup } from '../../shared/api/system.ts';
import type { MemberGroup } from '../../shared/protocol/api.ts';
import { leaveFramesAfterAsking } from '../../shared/ui/form/unsaved.ts';
import { recheckSession } from '../../shared/ui/session.ts';
import { reloadPage } from './address.ts';

export interface GroupSelectProps {
  /** Serial number of the current group. */
  readonly current: number;
}

/** The user's groups, if there are any. A refused change leaves everything as it was. */
export function GroupSelect({ current }: GroupSelectProps) {
  const { t } = useTranslation('Shell');
  const groups = useMemberGroups();
  const [pending, setPending] = useState<number>();
  const id = useId();
  if (groups.length === 0) return null;

  const change = async (serialno: number) => {
    setPending(serialno);
    const result = await putOwnMemberGroup(serialno);
    if (result.ok) {
      await recheckSession();
      reloadPage(); // it shows the devices of the group before
    }
    setPending(undefined);
  };
  const choose = (serialno: number) => leaveFramesAfterAsking(() => void change(serialno));
  const shown = pending ?? current;
  return (
    <Box sx={{ px: 2, pb: 1.5 }}>
      <FormControl size="small" fullWidth disabled={pending !== undefined}>
        <InputLabel htmlFor={id}>{t('Member group')}</InputLabel>
        <NativeSelect
          id={id}
          input={<OutlinedInput label={t('Member group')} />}
          value={shown}
          onChange={(event) => choose(Number(event.target.value))}
        >
          {!groups.some((group) => group.serialno === shown) && <option value={shown}>{t('No group')}</option>}
          {groups.map(({ serialno, name }) => (
            <option key={serialno} value={serialno}>
              {name}
            </option>
          ))}
        </NativeSelect>
      </FormControl>
    </Box>
  );
}

/** Empty until they have come, and when they do not: a failure is only logged. */
function useMemberGroups(): readonly MemberGroup[] {
  const [groups, setGroups] = useState<readonly MemberGroup[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    void getMemberGroups(abort.signal).then((result) => {
      if (result.ok) setGroups(result.value);
    });
    return () => abort.abort();
  }, []);
  return groups;
}
