import { FRAME_NAMESPACES } from '../../../shared/ui/frame/namespaces.ts';
import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { SystemBackupPage } from './SystemBackupPage.tsx';

await mountPage(<SystemBackupPage />, [...FRAME_NAMESPACES, 'SystemBackup', 'BackupParts', 'Upload', 'Events']);
