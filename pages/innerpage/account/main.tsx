import { FRAME_NAMESPACES } from '../../../shared/ui/frame/namespaces.ts';
import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { AccountPage } from './AccountPage.tsx';

await mountPage(<AccountPage />, [...FRAME_NAMESPACES, 'Account', 'Schedule']);
