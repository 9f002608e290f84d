// As much of XCTest as the tests in Objective-C use, to compile them where there is no XCTest.

#import <Foundation/Foundation.h>

@interface XCTestCase : NSObject
- (void)setUp;
- (void)tearDown;
@end

void XCTestFail(NSString *_Nonnull format, ...);

#define XCTAssertTrue(expression, ...) ({ if (!(expression)) XCTestFail(@"" __VA_ARGS__); })
#define XCTAssertFalse(expression, ...) XCTAssertTrue(!(expression), ##__VA_ARGS__)
#define XCTAssertNil(expression, ...) XCTAssertTrue((expression) == nil, ##__VA_ARGS__)
#define XCTAssertNotNil(expression, ...) XCTAssertTrue((expression) != nil, ##__VA_ARGS__)
#define XCTAssertEqual(first, second, ...) XCTAssertTrue((first) == (second), ##__VA_ARGS__)
#define XCTAssertEqualObjects(first, second, ...) XCTAssertTrue([(id)(first) isEqual:(second)], ##__VA_ARGS__)
