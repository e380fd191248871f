import { mountPage } from '../../../shared/ui/mountPage.tsx';
import { InvitationPage } from './InvitationPage.tsx';

await mountPage(<InvitationPage />, ['Login', 'Invitation']);
