import type { Route } from '../http/route.ts'
import { acceptRequest } from './accept-request.ts'
import { askChange } from './ask-change.ts'
import { declineRequest } from './decline-request.ts'
import { listMyRequests } from './list-my-requests.ts'
import { listRequests } from './list-requests.ts'

export const requestRoutes: readonly Route[] = [
  listRequests,
  acceptRequest,
  declineRequest,
  askChange,
  listMyRequests,
]
