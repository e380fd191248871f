import Chip from '@mui/material/Chip';
import { useTranslation } from 'react-i18next';

export function StateText({ isOn }: { readonly isOn: boolean }) {
  const { t } = useTranslation('EventDefine');
  return (
    <Chip size="small" variant="outlined" color={isOn ? 'success' : 'default'} label={isOn ? t('On') : t('Off')} />
  );
}
