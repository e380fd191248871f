import { FRAME_NAMESPACES } from '../../../shared/ui/frame/namespaces.ts';
import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { DeviceGroupPage } from './DeviceGroupPage.tsx';

await mountPage(<DeviceGroupPage />, [...FRAME_NAMESPACES, 'DeviceGroup', 'Schedule']);
