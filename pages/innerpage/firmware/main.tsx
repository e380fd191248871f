import { FRAME_NAMESPACES } from '../../../shared/ui/frame/namespaces.ts';
import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { FirmwarePage } from './FirmwarePage.tsx';

await mountPage(<FirmwarePage />, [...FRAME_NAMESPACES, 'Firmware', 'Schedule', 'Upload']);
