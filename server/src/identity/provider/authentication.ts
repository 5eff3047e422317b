/** One password was typed: Keycloak's first level. */
export const ACR = '1'
export const AMR = ['pwd']
