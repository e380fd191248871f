import AttachFile from '@mui/icons-material/AttachFileOutlined';
import DoneAll from '@mui/icons-material/DoneAllOutlined';
import OpenInNew from '@mui/icons-material/OpenInNewOutlined';
import PhotoCamera from '@mui/icons-material/PhotoCameraOutlined';
import ReadOut from '@mui/icons-material/RecordVoiceOverOutlined';
import ShowText from '@mui/icons-material/SmsOutlined';
import Videocam from '@mui/icons-material/VideocamOutlined';
import Box from '@mui/material/Box';
import type { SvgIconProps } from '@mui/material/SvgIcon';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventRuleRow } from '../../../../shared/protocol/api/eventConfig.ts';

interface Action {
  readonly name: string;
  readonly Icon: ComponentType<SvgIconProps>;
}

type RuleOfType = Pick<EventRuleRow, 'values' | 'isReported'>;

/** What is done when an event of the type begins. */
export function useActionsOf(): (row: RuleOfType) => readonly Action[] {
  const { t } = useTranslation('EventConfig');
  return ({ values, isReported }) => {
    const text = values.isSpoken
      ? { name: t('Text read out to the driver'), Icon: ReadOut }
      : { name: t('Text shown to the driver'), Icon: ShowText };
    const all: readonly (Action & { readonly isOn: boolean })[] = [
      { isOn: values.recordChannels.length > 0, name: t('Record'), Icon: Videocam },
      { isOn: values.snapshotChannels.length > 0, name: t('Snapshots'), Icon: PhotoCamera },
      { isOn: isReported && values.requestsFiles, name: t('Request files'), Icon: AttachFile },
      { isOn: values.popUp, name: t('Pop-up'), Icon: OpenInNew },
      { isOn: values.driverText !== '', ...text },
      { isOn: isReported && values.confirms, name: t('Confirm to terminal'), Icon: DoneAll },
    ];
    return all.filter(({ isOn }) => isOn);
  };
}

export function ActionIcons({ actions }: { readonly actions: readonly Action[] }) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', verticalAlign: 'middle', gap: 0.75 }}>
      {actions.map(({ name, Icon }) => (
        <Icon key={name} fontSize="small" titleAccess={name} sx={{ color: 'text.secondary' }} />
      ))}
    </Box>
  );
}
