import Alert from '@mui/material/Alert';
import { getServerSettings } from '../../../../shared/api/version/settings.ts';
import { errorText } from '../../../../shared/i18n/errorText.ts';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';
import { Waiting } from '../../../../shared/ui/Waiting.tsx';
import { SettingsForm } from './SettingsForm.tsx';

/** What an administrator sets of the installation. */
export function SettingsTab() {
  const { value, failure } = useRecord({ key: ['server settings'], load: getServerSettings, changedBy: ['setting'] });
  if (value !== undefined) return <SettingsForm settings={value} />;
  return failure === undefined ? <Waiting /> : <Alert severity="error">{errorText(failure)}</Alert>;
}
