import { ServiceError } from '../../errors.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'

/** `PUT /_cluster/decommission/awareness/<attribute>/<value>`: nodes are told apart by no attribute. */
export const putDecommissionAwareness: EndpointHandler = ({ path }) => {
  const attribute = `attributeName='${path['awareness_attribute_name']}', attributeValue='${path['awareness_attribute_value']}'`
  throw new ServiceError(
    'decommissioning_failed_exception',
    `[DecommissionAttribute{${attribute}}] invalid awareness attribute requested for decommissioning`,
  )
}

/** `GET /_cluster/decommission/awareness/<attribute>/_status`: none is. */
export const getDecommissionAwareness: EndpointHandler = () => ({ status: 200, json: {} })

/** `DELETE /_cluster/decommission/awareness`: takes back what never was. */
export const deleteDecommissionAwareness: EndpointHandler = () => ({ status: 200, json: { acknowledged: true } })
