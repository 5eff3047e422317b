export { partnerPermissions } from './permissions.ts'
export { insertPartner, partnerForContract } from './store.ts'
