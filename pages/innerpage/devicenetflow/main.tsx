import { FRAME_NAMESPACES } from '../../../shared/ui/frame/namespaces.ts';
import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { NetflowPage } from './NetflowPage.tsx';

await mountPage(<NetflowPage />, [...FRAME_NAMESPACES, 'Netflow', 'NetflowWords']);
