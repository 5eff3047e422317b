import { placeholder } from './placeholder.ts'

/**
 * What an account may hold. Keycloak drops attributes that are not declared here, on import too,
 * and lets users edit those that do not say otherwise: a customer who edits `partyId` reads
 * another party's contracts.
 */
export function userProfile(): object {
  return {
    attributes: [
      {
        ...ownAttribute('username'),
        validations: {
          length: { min: 1, max: 255 },
          'username-prohibited-characters': {},
          'up-username-not-idn-homograph': {},
        },
      },
      {
        ...ownAttribute('email'),
        required: { roles: ['user'] },
        validations: { email: {}, length: { max: 255 } },
      },
      nameAttribute('firstName'),
      nameAttribute('lastName'),
      scopeAttribute('partyId', 'Party'),
      scopeAttribute('partnerId', 'Partner'),
    ],
  }
}

function ownAttribute(name: string) {
  return {
    name,
    displayName: placeholder(name),
    multivalued: false,
    permissions: { view: ['admin', 'user'], edit: ['admin', 'user'] },
  }
}

function nameAttribute(name: string) {
  return {
    ...ownAttribute(name),
    required: { roles: ['user'] },
    validations: { length: { max: 255 }, 'person-name-prohibited-characters': {} },
  }
}

/** Platform contract, section 2: a string of 1 to 64 characters. */
function scopeAttribute(name: string, displayName: string) {
  return {
    name,
    displayName,
    multivalued: false,
    permissions: { view: ['admin', 'user'], edit: ['admin'] },
    validations: { length: { min: 1, max: 64 } },
  }
}
