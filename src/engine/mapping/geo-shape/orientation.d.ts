/** Whether an orientation is to the right. @throws {ServiceError} illegal_argument_exception */
export declare function isRightOrientation(text: string): boolean
